/* SPDX-License-Identifier: MIT */
/* A trace that is being read, and the readers of its two formats. */
#ifndef COLLAPSE_GO_TRACE_TRACE_H
#define COLLAPSE_GO_TRACE_TRACE_H

#include "goroutines.h"

/* Versions are the second number of Go's: 22 is Go 1.22. */
#define GO_VERSION_NEW    22 /* the first one of the new format */
#define GO_VERSION_NEWEST 26

/* Versions before this one have no names in stacks, and number the events of all threads. */
#define GO_VERSION_NAMES 7

typedef struct trace {
    brz_ctx *ctx;
    uint32_t version;
    tables tables;
    threads threads;
    order order;
    goroutines goroutines;
    double ns_per_tick; /* 0: not known */
    uint64_t first;     /* ticks of the earliest event of an old trace */
    brz_bytes *samples; /* batches of samples of a part */
    size_t n_samples, samples_cap;
    bool has_start; /* of the recording, which has been stated */
} trace;

/* Takes the next event of a thread into its `head`. Returns false after its last one. */
typedef bool trace_next(trace *t, uint32_t thread);

/* Takes the events of all threads, in order. */
brz_rc trace_take_events(trace *t, trace_next *next);

/* Converts a number of ticks to nanoseconds. One that is too large becomes INT64_MAX / 2. */
static inline int64_t trace_nanoseconds(const trace *t, uint64_t ticks)
{
    double ns = (double)ticks * t->ns_per_tick;
    return ns < 4e18 ? (int64_t)ns : INT64_MAX / 2;
}

/* Sets the frequency, in ticks per second. */
void trace_set_frequency(trace *t, uint64_t frequency);

/* Fills in an event from its arguments, the first of which is its time. An argument that the kind
 * does not have is number 0. */
static inline void trace_fill(const trace *t, go_event *e, const go_kind *kind, uint64_t *args)
{
    bool is_new = t->version >= GO_VERSION_NEW;
    args[0] = 0;
    e->kind = kind;
    e->goroutine = args[kind->goroutine];
    e->stack = args[kind->stack];
    e->other = args[kind->other];
    e->expected = kind->sequence != 0 ? args[kind->sequence] - is_new : 0;
    e->thread = kind->action == GO_STATUS && is_new ? args[2] : 0;
}

/* Reads a trace of Go 1.22 or later, after its header. */
brz_rc trace_read(trace *t, brz_bytes b);

/* Reads a trace of Go up to 1.21, after its header. */
brz_rc trace_read_old(trace *t, brz_bytes b);

#endif
