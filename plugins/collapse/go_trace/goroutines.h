/* SPDX-License-Identifier: MIT */
/* Follows the goroutines of a trace from state to state, and counts the time that each spends in
 * them.
 *
 * Go up to 1.21 writes no event at the end of a system call unless another goroutine ran meanwhile:
 * such a call counts only then.
 */
#ifndef COLLAPSE_GO_TRACE_GOROUTINES_H
#define COLLAPSE_GO_TRACE_GOROUTINES_H

#include "counts.h"
#include "order.h"

typedef struct goroutine {
    uint64_t id;
    uint64_t sequence; /* number of the last event that has one */
    uint32_t part;     /* to which the number belongs */
    go_state state;
    uint32_t reason, stack; /* of the state; NO_STACK: it does not count */
    int64_t since;
    brz_str function;
} goroutine;

#define RECENT_GOROUTINES 64

typedef struct goroutines {
    brz_ctx *ctx;
    tables *tables;
    threads *threads;
    order *order;
    counts counts;
    pair_map ids;
    goroutine *items;
    size_t n, cap;
    uint32_t recent[RECENT_GOROUTINES]; /* by the lowest bits of ids: an index of `items` */
    uint32_t part;
    bool is_old; /* Go up to 1.21 */
} goroutines;

void goroutines_init(goroutines *g, brz_ctx *ctx, tables *t, threads *of, order *o, bool is_old);

/* Returns whether an event can come next. Sets *state to the state for which it waits if not. */
bool goroutines_are_ready(goroutines *g, const go_event *e, uint64_t *state);

/* Takes the next event of a thread. */
brz_rc goroutines_take(goroutines *g, uint32_t thread);

/* Takes a sample of the CPU profiler. */
brz_rc goroutines_take_sample(goroutines *g, const go_event *e);

/* Reports the goroutines that still wait. */
void goroutines_finish(const goroutines *g);

#endif
