/* Counts samples: converts call chains to stacks, events to columns. */
#ifndef PERF_DATA_FOLD_H
#define PERF_DATA_FOLD_H

#include "recording.h"
#include "sample.h"

/* Counts a sample. `misc` is that of the record's header. */
brz_rc fold_sample(recording *p, event *v, const sample *s, uint16_t misc);

#endif
