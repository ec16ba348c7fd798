/* The state that all parts of a run share. */
#ifndef BRZ_RUN_H
#define BRZ_RUN_H

#include <stdatomic.h>

#include "base/diag.h"

typedef struct brz_run {
    brz_console *console;
    atomic_bool stop; /* ends the run early, after an interrupt or a limit */
    bool confined;    /* the process is confined: see isolate/sandbox.h */
    /* A child process reads the input, and this one ends it soon after `stop`. */
    atomic_bool supervises;
    char finding[32];    /* code of the finding about the inputs that comes first; empty: none */
    double stop_seconds; /* time that the child has to stop and to report where it hangs;
                            0: the usual time */
} brz_run;

#endif
