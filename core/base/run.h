/* SPDX-License-Identifier: MIT */
/* The state that all parts of a run share. */
#ifndef BRZ_RUN_H
#define BRZ_RUN_H

#include <stdatomic.h>

#include "base/diag.h"

/* Lines that tell outputs what is missing from the inputs of a run. */
typedef struct brz_run_lacks {
    brz_buf findings; /* about the quality of the profile */
    brz_buf left_out; /* records that are missing from it */
} brz_run_lacks;

typedef struct brz_run {
    brz_console *console;
    atomic_bool stop; /* ends the run early, after an interrupt or a limit */
    bool confined;    /* the process is confined: see isolate/sandbox.h */
    /* A child process reads the input, and this one ends it soon after `stop`. */
    atomic_bool supervises;
    const brz_run_lacks *lacks; /* NULL: no input was read */
    char finding[32];    /* code of the finding about the inputs that comes first; empty: none */
    double stop_seconds; /* time that the child has to stop and to report where it hangs;
                            0: the usual time */
} brz_run;

#endif
