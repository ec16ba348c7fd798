/* SPDX-License-Identifier: MIT */
/* Finds switches and wake-ups of threads in a recording, and measures the time between them.
 *
 * They come from the tracepoints sched_switch, sched_waking and sched_wakeup, or from the records
 * that the kernel writes at switches, which have no stacks. A recording may have both: whichever is
 * first counts.
 */
#ifndef PERF_DATA_SWITCHES_H
#define PERF_DATA_SWITCHES_H

#include "../file/recording.h"
#include "../file/sample.h"

/* Uses a sample that was counted. Its path is the current one of the stacks; the call may replace
 * it. `misc` is that of the record's header. */
brz_rc switches_sample(recording *p, const event *v, const sample *s, uint16_t misc);

/* Uses another record of the kernel: `body` excludes the trailer. */
brz_rc switches_change(recording *p, uint32_t type, uint16_t misc, const event *v, brz_bytes body,
                       brz_bytes trailer);

/* Reports what is missing. */
void switches_report(recording *p);

#endif
