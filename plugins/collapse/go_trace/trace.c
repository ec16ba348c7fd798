/* SPDX-License-Identifier: MIT */
/* Takes the events of a trace in order. */
#include "trace.h"

void trace_set_frequency(trace *t, uint64_t frequency)
{
    if (frequency > 0)
        t->ns_per_tick = 1e9 / (double)frequency;
}

brz_rc trace_take_events(trace *t, trace_next *next)
{
    bool is_total = t->version < GO_VERSION_NAMES, is_forced;
    uint64_t state;
    uint32_t thread;
    brz_rc rc = BRZ_OK;
    order_clear(&t->order);
    for (size_t i = 0; i < t->threads.n_active; i++)
        if (next(t, t->threads.active[i]))
            order_push(&t->order, t->threads.active[i]);
    while (rc == BRZ_OK && (thread = order_pop(&t->order, &is_forced)) != GO_NONE) {
        const go_event *e = &t->threads.items[thread].head;
        if (!is_forced && !is_total && !goroutines_are_ready(&t->goroutines, e, &state)) {
            order_put_aside(&t->order, thread, e->goroutine, state);
            continue;
        }
        rc = goroutines_take(&t->goroutines, thread);
        if (next(t, thread))
            order_push(&t->order, thread);
    }
    return rc;
}
