/* Counts samples: converts call chains to stacks, events to columns. */
#ifndef PERF_DATA_FOLD_H
#define PERF_DATA_FOLD_H

#include "recording.h"
#include "sample.h"

/* Counts a sample, and leaves its path behind. `misc` is that of the record's header. */
brz_rc fold_sample(recording *p, event *v, const sample *s, uint16_t misc);

/* Makes the path of a sample with the frame of its thread, all of which belong to a waker. */
void fold_waker(recording *p, const event *v, const sample *s, uint16_t misc);

/* Describes the thread and the processor of a sample. */
brz_tag_desc fold_describe(const recording *p, const event *v, const sample *s, const thread *of);

#endif
