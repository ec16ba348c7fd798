/* Names tracepoints by the descriptions in a recording. */
#ifndef PERF_DATA_TRACING_H
#define PERF_DATA_TRACING_H

#include "recording.h"

/* Names the events without a name that are tracepoints: "sched:sched_switch". */
void tracing_name_events(recording *p);

#endif
