/* SPDX-License-Identifier: MIT */
/* Merges the events of threads into one order.
 *
 * Each thread wrote its events in their order. Times of different threads compare only roughly; the
 * events that several threads may write of a goroutine have sequence numbers in addition. The
 * thread with the earliest event comes first, unless this event has to wait for another one of its
 * goroutine: the thread is put aside until that comes. If all threads are put aside, events are
 * missing, and the earliest one comes all the same.
 */
#ifndef COLLAPSE_GO_TRACE_ORDER_H
#define COLLAPSE_GO_TRACE_ORDER_H

#include "threads.h"

/* A thread in a heap. It counts no longer if the thread's stamp is another one. */
typedef struct order_entry {
    uint64_t key;
    uint32_t thread, stamp;
} order_entry;

/* A heap with the smallest key on top. */
typedef struct order_heap {
    order_entry *items;
    size_t n, cap;
} order_heap;

/* A thread that was put aside. */
typedef struct order_waiter {
    uint32_t thread, stamp;
    uint32_t next; /* for the same state of the same goroutine */
} order_waiter;

typedef struct order {
    brz_ctx *ctx;
    threads *threads;
    order_heap ready, aside;
    bool is_taken;     /* the top of `ready` was removed, but is still there to be replaced */
    pair_map by_state; /* goroutine, state -> first of the waiters */
    order_waiter *waiters;
    size_t n_waiters, waiters_cap;
    uint64_t forced; /* events that came although another one is missing */
} order;

void order_init(order *o, brz_ctx *ctx, threads *t);

/* Begins with another part. */
void order_clear(order *o);

/* Adds a thread, whose `head` is set. */
void order_push(order *o, uint32_t thread);

/* Removes the thread that comes next. Sets *is_forced if it was put aside. Returns GO_NONE if there
 * are no more. */
uint32_t order_pop(order *o, bool *is_forced);

/* Puts a thread aside until a goroutine is in this state. */
void order_put_aside(order *o, uint32_t thread, uint64_t goroutine, uint64_t state);

/* Takes back a thread that waits for a goroutine in this state, in which it is now. */
void order_wake(order *o, uint64_t goroutine, uint64_t state);

#endif
