/* SPDX-License-Identifier: MIT */
/* Counts samples: converts call chains to stacks, events to columns. */
#ifndef PERF_DATA_FOLD_H
#define PERF_DATA_FOLD_H

#include "../file/recording.h"
#include "../stack/trace.h"

/* Counts a sample and keeps its path. `misc` is that of the record's header. */
brz_rc fold_sample(recording *p, event *v, const sample *s, uint16_t misc);

/* The state that determines the path of a sample, besides its record. */
typedef struct fold_from {
    uint32_t thread; /* position */
    brz_frame root;
} fold_from;

/* Counts a sample that was traced, and keeps its path. */
brz_rc fold_traced(recording *p, event *v, const sample *s, const fold_from *from, const trace *t);

/* Does the same for a sample of a plain event with a period, if its trace has frames and their hash
 * with the root, and if no sample waits for names or needs a place. */
brz_rc fold_usual(recording *p, const event *v, const moment *at, uint64_t period, const trace *t);

/* Makes the path of a sample and the frame of its thread, as frames of a waker. */
void fold_waker(recording *p, const event *v, const sample *s, uint16_t misc);

/* Describes the thread and the processor of a sample. */
brz_tag_desc fold_describe(const recording *p, const event *v, const sample *s, const thread *of);

/* Passes the sums of all samples so far to the host, which shows them. */
brz_rc fold_pass_on(recording *p);

/* Makes the column of the first event with samples the default of brazier's own recordings: that of
 * the first sample would be another one from recording to recording. Those of perf have the default
 * of `perf script`, whose text begins with the first sample. */
void fold_choose_column(const recording *p);

#endif
