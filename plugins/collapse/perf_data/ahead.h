/* SPDX-License-Identifier: MIT */
/* Traces samples ahead of their turn, on the threads of the run.
 *
 * Samples are collected in batches. While the threads trace a batch, this one folds the previous
 * one in order, and collects the next one. Records that change threads and mappings are applied
 * when they are collected: a sample keeps what it needs of them, and pins its mappings. The result
 * is the same as that of folding each sample at once.
 */
#ifndef PERF_DATA_AHEAD_H
#define PERF_DATA_AHEAD_H

#include "file/walk.h"

/* Prepares for it, if the run has several threads. */
void ahead_init(recording *p);

/* Begins to collect samples if that is due. */
bool ahead_begin(recording *p);

/* Returns whether samples are to be collected: not the first ones, so that small recordings start
 * no threads, nor those whose threads or switches the run shows. */
static inline bool ahead_is_on(recording *p)
{
    return p->is_ahead || ahead_begin(p);
}

/* Collects a sample. */
brz_rc ahead_add(recording *p, const record *r, event *v);

/* Folds all samples that were collected. */
brz_rc ahead_drain(recording *p);

#endif
