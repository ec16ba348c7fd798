/* Unwinds copies of user stacks. */
#ifndef PERF_DATA_UNWIND_H
#define PERF_DATA_UNWIND_H

#include "tracer.h"

/* Maximum number of frames. */
#define UNWIND_DEPTH_MAX 1024

/* Unwinds the user stack of a sample and appends its addresses, leaf first. Returns why it ends. */
enum unwind_end unwind_sample(tracer *t, const event *v, const sample *s);

#endif
