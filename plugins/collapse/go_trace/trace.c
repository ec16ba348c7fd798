/* SPDX-License-Identifier: MIT */
/* Takes the events of a trace in order. */
#include "trace.h"

int64_t trace_nanoseconds(const trace *t, uint64_t ticks)
{
    double ns = (double)ticks * t->ns_per_tick;
    return ns < 4e18 ? (int64_t)ns : INT64_MAX / 2;
}

void trace_set_frequency(trace *t, uint64_t frequency)
{
    if (frequency > 0)
        t->ns_per_tick = 1e9 / (double)frequency;
}

void trace_fill(const trace *t, go_event *e, const go_kind *kind, const uint64_t *args)
{
    bool is_old = t->version < GO_VERSION_NEW;
    e->kind = kind;
    e->goroutine = kind->goroutine != 0 ? args[kind->goroutine] : 0;
    e->stack = kind->stack != 0 ? args[kind->stack] : 0;
    e->other = kind->other != 0 ? args[kind->other] : 0;
    e->expected = kind->sequence != 0 ? args[kind->sequence] - !is_old : 0;
    e->thread = kind->action == GO_STATUS && !is_old ? args[2] : 0;
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
