/* SPDX-License-Identifier: MIT */
/* The events that a recording counts, by their names. */
#ifndef BRZ_RECORD_EVENT_H
#define BRZ_RECORD_EVENT_H

#include <linux/perf_event.h>

#include "base/buf.h"

/* Maximum number of events of a recording. */
#define BRZ_EVENTS_MAX 16

/* Size of the attributes that are passed to the kernel and written to recordings: all versions of
 * perf since Linux 4.1 read them. */
#define BRZ_ATTR_SIZE PERF_ATTR_SIZE_VER5

typedef struct brz_event {
    char name[128];
    struct perf_event_attr attr;
    bool is_scheduler; /* needed for the times that threads wait; it occurs in the kernel */
    bool user_only, kernel_only; /* :u, :k */
    bool is_default;             /* the user did not name it */
    bool is_slowed;              /* it has BRZ_FREQUENCY_CLOCK instead of a higher frequency */
    uint64_t *ids;               /* one for each descriptor */
    size_t n_ids, ids_cap;
} brz_event;

/* Parses the name of an event, such as "cycles:u" or "sched:sched_switch", and sets its type and
 * configuration. Returns false and appends the reason to `error` if there is no such event. */
bool brz_event_parse(brz_event *e, brz_str word, brz_buf *error);

/* Returns whether there is an event of this name, as far as this process can tell: it may lack the
 * rights to see tracepoints. If not, appends the reason to `error`. */
bool brz_event_may_exist(brz_str word, brz_buf *error);

/* Lowers the frequency of a clock to one that leaves the program time to run. */
void brz_event_slow_clock(brz_event *e);

/* Returns the name SYSTEM:NAME of an event that is a tracepoint. */
brz_str brz_event_tracepoint(const brz_event *e);

/* Returns whether the event counts something that happens, rather than time. */
bool brz_event_is_tracepoint(const brz_event *e);
/* Returns whether each occurrence is a sample, unless the user chooses a period. */
bool brz_event_counts_each(const brz_event *e);

/* Sets the software event that measures time without hardware. */
void brz_event_use_clock(brz_event *e);

void brz_event_finish(brz_event *e);

#endif
