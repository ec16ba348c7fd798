/* SPDX-License-Identifier: MIT */
/* Knows the threads of a trace, or its processors up to Go 1.21: the batches of events that each
 * wrote, and the goroutine that it runs.
 */
#ifndef COLLAPSE_GO_TRACE_THREADS_H
#define COLLAPSE_GO_TRACE_THREADS_H

#include <brazier/binary.h>
#include <brazier/text/buffer.h>

#include "../../common/pair_map.h"
#include "events.h"

/* Ends a list of indices. */
#define GO_NONE UINT32_MAX

/* Events that a thread wrote one after another. */
typedef struct go_batch {
    brz_bytes bytes;
    uint64_t time;     /* ticks, to which the first event adds */
    uint64_t sequence; /* likewise, in Go 1.5 */
    uint32_t next;     /* of the same thread */
} go_batch;

typedef struct go_thread {
    uint64_t id;
    uint64_t goroutine;   /* which it runs; 0: none */
    uint32_t first, last; /* batches of the part that are left */
    go_batch at;          /* what is left of the batch that is being read */
    int64_t time;         /* of the last event, in nanoseconds */
    go_event head;        /* the next event */
    uint32_t stamp;       /* changes when the thread no longer waits: see order.h */
} go_thread;

typedef struct threads {
    brz_ctx *ctx;
    pair_map ids;
    go_thread *items;
    size_t n, cap;
    go_batch *batches; /* of the part */
    size_t n_batches, batches_cap;
    uint32_t *active; /* threads with batches in the part */
    size_t n_active, active_cap;
} threads;

void threads_init(threads *t, brz_ctx *ctx);

/* Returns the index of a thread, which is added if necessary. */
uint32_t threads_find(threads *t, uint64_t id);

/* Adds a batch to those of a thread. */
void threads_add_batch(threads *t, uint64_t id, go_batch batch);

/* Opens the next batch of a thread. Returns false after the last one. */
bool threads_open_batch(threads *t, uint32_t thread);

/* Forgets the batches. */
void threads_clear(threads *t);

#endif
