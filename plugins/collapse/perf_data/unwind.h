/* Unwinds copies of user stacks. */
#ifndef PERF_DATA_UNWIND_H
#define PERF_DATA_UNWIND_H

#include "recording.h"
#include "sample.h"

/* Unwinds the user stack of a sample and pushes its frames, leaf first. Returns why it ends. */
enum unwind_end unwind_sample(recording *p, const thread *of, const event *v, const sample *s);

#endif
