/* Keeps what allocations cost. */
#include "costs.h"

void heap_costs_init(heap_costs *c)
{
    c->n = 0;
    c->held = c->most = 0;
    c->peak = 1;
    c->last = UINT64_MAX;
}

void heap_costs_add(heap_costs *c, brz_ctx *ctx, uint64_t size, uint32_t trace)
{
    c->items = brz_list_room(ctx, c->items, c->n, &c->cap, sizeof *c->items);
    c->items[c->n++] = (heap_cost){.size = size, .trace = trace};
}

/* Stores the number of live allocations before a change, once after each peak. */
static void before_change(const heap_costs *c, heap_cost *cost)
{
    if (cost->peak == c->peak)
        return;
    cost->peak = c->peak;
    cost->live_at_peak = cost->live;
}

heap_change heap_allocate(heap_costs *c, uint64_t index)
{
    int64_t held;
    if (index >= c->n)
        return HEAP_UNKNOWN;
    heap_cost *cost = &c->items[index];
    if (cost->size > INT64_MAX || __builtin_add_overflow(c->held, (int64_t)cost->size, &held))
        return HEAP_TOO_LARGE;
    before_change(c, cost);
    cost->calls++;
    cost->live++;
    c->held = held;
    c->last = index;
    if (held > c->most) {
        c->most = held;
        c->peak++;
    }
    return HEAP_CHANGED;
}

heap_change heap_free(heap_costs *c, uint64_t index)
{
    if (index >= c->n)
        return HEAP_UNKNOWN;
    heap_cost *cost = &c->items[index];
    if (cost->live == 0)
        return HEAP_NOT_HELD;
    before_change(c, cost);
    cost->live--;
    cost->temporary += c->last == index;
    c->held -= (int64_t)cost->size;
    c->last = UINT64_MAX;
    return HEAP_CHANGED;
}

int64_t heap_bytes_at_peak(const heap_costs *c, const heap_cost *cost)
{
    int64_t live = cost->peak == c->peak ? cost->live_at_peak : cost->live;
    return live * (int64_t)cost->size;
}
