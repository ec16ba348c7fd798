/* SPDX-License-Identifier: MIT */
/* Enforces the limits of a run on memory and time.
 *
 * A thread checks both and stops the run, which then ends like a cancelled one, with a message that
 * names the limit. The code that parses and draws is not involved.
 */
#ifndef BRZ_LIMITS_H
#define BRZ_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/run.h"

typedef struct brz_limits {
    uint64_t memory;  /* bytes in addition to those of the process; 0: no limit */
    uint64_t time;    /* nanoseconds; 0: no limit */
    unsigned threads; /* maximum number of threads of the run; 0: one per processor */
    /* For the main program of a process: ends the process if the run does not stop, and makes the
     * system refuse memory beyond the limit. */
    bool is_strict;
} brz_limits;

typedef struct brz_limit_watch brz_limit_watch;

/* Watches a run until brz_limit_watch_end(). Returns NULL if there are no limits. */
brz_limit_watch *brz_limit_watch_begin(brz_run *run, const brz_limits *limits);

/* Ends watching. Returns true if a limit stopped the run, after reporting it if the run `failed`; a
 * run that completed at that moment is valid. NULL is allowed. */
bool brz_limit_watch_end(brz_limit_watch *w, bool failed);

#endif
