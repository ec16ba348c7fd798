/* SPDX-License-Identifier: MIT */
/* Reports the progress of a run and lets the caller cancel it. */
#ifndef BRZ_PROGRESS_H
#define BRZ_PROGRESS_H

#include "input/source.h"

/* Receives an input's name, the number of bytes read and the total (0: unknown). A nonzero result
 * cancels the run. Called on any thread, by one thread at a time. */
typedef int brz_progress_fn(void *context, const char *input, uint64_t taken, uint64_t total);

typedef struct brz_progress {
    brz_progress_fn *tell;
    void *context;
    atomic_bool *stop; /* the run's flag */
} brz_progress;

/* Reports that another piece of the source was parsed. NULL is allowed. Call it from one thread at
 * a time. */
void brz_progress_tick(const brz_progress *p, const brz_source *s);

#endif
