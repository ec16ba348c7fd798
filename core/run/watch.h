/* Limits of a run: the memory and the time that it may take.
 *
 * A thread looks at both and stops the run, which then ends as a cancelled one does, with a message
 * that names the limit. Nothing that parses or draws knows of it.
 */
#ifndef BRZ_WATCH_H
#define BRZ_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/run.h"

typedef struct brz_limits {
    uint64_t memory;  /* bytes that the process may take beside those it has; 0: any number */
    uint64_t time;    /* nanoseconds; 0: any number */
    unsigned threads; /* how many the run may start; 0: one per processor */
    /* This is the process's main program: what does not stop is ended with the process, and the
     * system refuses memory beyond the limit. */
    bool is_strict;
} brz_limits;

typedef struct brz_watch brz_watch;

/* Watches over a run until brz_watch_end. Returns NULL if there are no limits. */
brz_watch *brz_watch_begin(brz_run *run, const brz_limits *limits);

/* Ends that. Returns true if a limit stopped the run, after a message if it `failed`: one that was
 * done just then is none the worse for it. NULL is fine. */
bool brz_watch_end(brz_watch *w, bool failed);

#endif
