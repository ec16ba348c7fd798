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

#include <brazier/binary.h>
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

/* Returns the place of an event: in the file, or joined in `copy`, of 32 bytes. Stores its place in
 * the file in *at. */
const uint8_t *events_place(stream *s, uint64_t address, uint32_t size, uint8_t *copy,
                            const uint8_t **at);

#define EVENT_MARK_INSTANT UINT64_C(0xffffffffffff)
#define EVENT_MARK_INTEGER UINT64_C(0xfffffffffffe)

static inline event_form event_form_of(uint64_t second)
{
    if (second < EVENT_MARK_INTEGER)
        return EVENT_INTERVAL;
    return second == EVENT_MARK_INSTANT ? EVENT_INSTANT : EVENT_INTEGER;
}

/* Loads an id of a text. */
static inline uint64_t event_load_id(const uint8_t *p, uint32_t size)
{
    return size == 8 ? brz_load_u64(p, BRZ_LITTLE_ENDIAN) : brz_load_u32(p, BRZ_LITTLE_ENDIAN);
}

/* Reads an event by its number. */
static inline void events_read(streams *s, uint64_t number, event *e)
{
    uint8_t copy[32];
    uint32_t id_size = s->version == 8 ? 4 : 8, size = 2 * id_size + 16;
    uint64_t address = STREAM_HEADER_SIZE + number * size;
    const uint8_t *p = stream_recent(&s->of[STREAM_EVENTS], address, size);
    e->at = p;
    if (p == NULL)
        p = events_place(&s->of[STREAM_EVENTS], address, size, copy, &e->at);
    e->kind = event_load_id(p, id_size);
    e->id = event_load_id(p + id_size, id_size);
    p += (size_t)2 * id_size;
    e->thread = brz_load_u32(p, BRZ_LITTLE_ENDIAN);
    uint64_t low = brz_load_u64(p + 4, BRZ_LITTLE_ENDIAN);
    uint64_t high = brz_load_u32(p + 12, BRZ_LITTLE_ENDIAN);
    uint64_t first = (low & UINT32_MAX) | (high & UINT64_C(0xffff0000)) << 16;
    uint64_t second = low >> 32 | (high & UINT64_C(0xffff)) << 32;
    e->form = event_form_of(second);
    e->first = (int64_t)first;
    e->second = (int64_t)second;
}

/* Maximum number of open intervals of a thread: each has a stack of its own, which has the frames
 * of all intervals around it. */
#define OPEN_MAX 1024

/* An interval that is open. Its stack is a node of a tree: the caller's node and its frame. */
typedef struct open_interval {
    uint32_t node, caller; /* 0: none */
    brz_frame frame;
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
    brz_path path;       /* the last stack that was stored */
    open_interval *open; /* the root first; after `n_open`, the last ones of each depth */
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
    size_t last;        /* index of the thread of the last event */
    pair_map nodes;     /* caller's node, frame -> node, from 1 */
    uint32_t *of_nodes; /* by node - 1: the entry of its stack plus 1; 0: not stored yet */
    size_t n_nodes, nodes_cap;
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
