/* SPDX-License-Identifier: MIT */
/* Counts the self time of intervals: without that of the intervals within them.
 *
 * Intervals of a thread are taken from the last one to the first: callers precede their callees.
 * The innermost open interval that contains the next one is its caller; the others above it are
 * complete. Between a caller's callees lies its own time. Each thread has a root, which stands for
 * the time between its outermost intervals. The root ends with the last interval of the file and
 * begins with the earliest one. An interval within OPEN_MAX others is a part of the innermost one.
 */
#ifndef COLLAPSE_MEASUREME_THREADS_H
#define COLLAPSE_MEASUREME_THREADS_H

#include <brazier/text/stacks.h>

#include "../../common/pair_map.h"
#include "streams.h"

typedef enum event_form { EVENT_INTERVAL, EVENT_INSTANT, EVENT_INTEGER } event_form;

typedef struct event {
    uint64_t kind, id; /* of texts */
    uint32_t thread;
    event_form form;
    int64_t first, second; /* begin and end; the moment; the number */
    const uint8_t *at;     /* in the file */
} event;

/* Returns the number of complete events; reports an incomplete one at the end. */
uint64_t events_count(streams *s, brz_ctx *ctx);

/* Reads an event by its number. */
event events_at(streams *s, uint64_t number);

/* Maximum number of open intervals of a thread: each has a stack of its own, which has the frames
 * of all intervals around it. */
#define OPEN_MAX 1024

/* An interval that is open. */
typedef struct open_interval {
    int64_t begin, end;
    int64_t cursor;  /* the beginning of the earliest interval within it so far, or its end */
    int64_t overlap; /* time of intervals within it that overlap, which its own time lacks */
} open_interval;

/* A period during which a stack was active, if the run needs them in order. */
typedef struct period {
    int64_t time, value;
    uint32_t entry; /* of the stacks */
} period;

typedef struct thread {
    uint32_t id;
    brz_path path;
    open_interval *open; /* the root first */
    size_t n_open, open_cap;
    int64_t begin;   /* of the earliest interval */
    period *periods; /* the latest first */
    size_t n_periods, periods_cap;
} thread;

typedef struct threads {
    brz_ctx *ctx;
    brz_stacks stacks;
    pair_map ids; /* id, 0 -> index */
    thread *items;
    size_t n, cap;
    brz_frame root;
    uint32_t column;
    uint64_t overlapping, too_deep; /* intervals */
} threads;

/* The process to which the threads belong. */
typedef struct process {
    int64_t id;
    bool has_id;
    bool timed; /* values are nanoseconds */
    brz_str name;
} process;

void threads_init(threads *t, brz_ctx *ctx, uint32_t column);

/* Counts an interval. */
brz_rc threads_take(threads *t, const event *e, brz_frame frame);

/* Completes all threads. Passes periods to the host; sums are passed by brz_stacks_finish(). */
brz_rc threads_finish(threads *t, const process *p);

#endif
