/* SPDX-License-Identifier: MIT */
/* Names tracepoints by the descriptions in a recording, and finds fields of their payloads. */
#ifndef PERF_DATA_TRACING_H
#define PERF_DATA_TRACING_H

#include "recording.h"

/* Names the events without a name that are tracepoints: "sched:sched_switch". Finds the fields by
 * which samples are weighed. */
void tracing_describe_events(recording *p);

#endif
