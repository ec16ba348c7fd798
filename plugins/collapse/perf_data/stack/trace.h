/* SPDX-License-Identifier: MIT */
/* Traces the stacks of samples. */
#ifndef PERF_DATA_TRACE_H
#define PERF_DATA_TRACE_H

#include "tracer.h"

/* Traces the stack of a sample. `mode` is that of the sample. */
void trace_sample(tracer *t, const event *v, const sample *s, uint32_t mode);

#endif
