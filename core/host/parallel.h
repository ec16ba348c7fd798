/* SPDX-License-Identifier: MIT */
/* The threads on which a plug-in's work runs: the draft <brazier/draft/parallel.h>.
 *
 * A job is a number of items that are independent of each other. The thread that starts it may do
 * other work until it waits, and then does the items that no other thread has begun.
 */
#ifndef BRZ_PARALLEL_H
#define BRZ_PARALLEL_H

#include <brazier/draft/parallel.h>

#include "plugin/loaded.h"

typedef struct brz_parallel brz_parallel;

/* Maximum number of threads: more of them would wait for the one that starts the jobs. */
#define BRZ_PARALLEL_MAX 16

/* Prepares jobs of a plug-in for up to `threads` threads, the caller included. No thread is started
 * before the first job. `input` names the input in reports about crashes; it must outlive the jobs.
 */
brz_parallel *brz_parallel_create(unsigned threads, const brz_loaded *plugin, const char *input);

/* Begins a job of `n` items, after the previous one is complete. Without other threads, the job
 * begins when the caller waits. */
void brz_parallel_start(brz_parallel *p, brz_parallel_work *work, void *arg, size_t n);

/* Completes the job, if there is one. Accepts NULL. */
void brz_parallel_wait(brz_parallel *p);

/* Completes the job and ends the threads. Accepts NULL. */
void brz_parallel_destroy(brz_parallel *p);

#endif
