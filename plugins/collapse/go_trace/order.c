/* SPDX-License-Identifier: MIT */
/* Merges the events of threads into one order. */
#include "order.h"

/* Initial room for the states for which threads wait. */
#define ROOM 64

/* Stands for the absence of waiters, because PAIR_MISS cannot be stored. */
#define NO_WAITER (PAIR_MISS - 1)

void order_init(order *o, brz_ctx *ctx, threads *t)
{
    *o = (order){.ctx = ctx, .threads = t};
    pair_map_init(&o->by_state, ctx);
}

void order_clear(order *o)
{
    if (o->n_waiters > 0)
        pair_map_reset(&o->by_state, o->ctx, ROOM);
    o->n_waiters = o->ready.n = o->aside.n = 0;
    o->is_taken = false;
}

/* ---- heaps ------------------------------------------------------------------------------- */

/* Compares by the number of the thread, too, so that the order is always the same. */
static bool precedes(const order_entry *a, const order_entry *b)
{
    return a->key < b->key || (a->key == b->key && a->thread < b->thread);
}

static void swap(order_heap *h, size_t a, size_t b)
{
    order_entry entry = h->items[a];
    h->items[a] = h->items[b];
    h->items[b] = entry;
}

static void heap_push(order_heap *h, brz_ctx *ctx, order_entry entry)
{
    h->items = brz_list_room(ctx, h->items, h->n, &h->cap, sizeof *h->items);
    size_t at = h->n++;
    h->items[at] = entry;
    for (; at > 0 && precedes(&h->items[at], &h->items[(at - 1) / 2]); at = (at - 1) / 2)
        swap(h, at, (at - 1) / 2);
}

/* Replaces the top, which moves down to its place. */
static void heap_replace(order_heap *h, order_entry entry)
{
    size_t at = 0;
    for (;;) {
        size_t least = 2 * at + 1;
        if (least + 1 < h->n && precedes(&h->items[least + 1], &h->items[least]))
            least++;
        if (least >= h->n || !precedes(&h->items[least], &entry))
            break;
        h->items[at] = h->items[least];
        at = least;
    }
    h->items[at] = entry;
}

static void heap_remove(order_heap *h)
{
    if (--h->n > 0)
        heap_replace(h, h->items[h->n]);
}

static order_entry heap_pop(order_heap *h)
{
    order_entry top = h->items[0];
    heap_remove(h);
    return top;
}

/* ---- threads ----------------------------------------------------------------------------- */

static order_entry entry_of(const order *o, uint32_t thread)
{
    const go_thread *t = &o->threads->items[thread];
    return (order_entry){t->head.key, thread, t->stamp};
}

void order_push(order *o, uint32_t thread)
{
    if (o->is_taken)
        heap_replace(&o->ready, entry_of(o, thread));
    else
        heap_push(&o->ready, o->ctx, entry_of(o, thread));
    o->is_taken = false;
}

uint32_t order_pop(order *o, bool *is_forced)
{
    *is_forced = false;
    if (o->is_taken)
        heap_remove(&o->ready);
    o->is_taken = o->ready.n > 0;
    if (o->is_taken)
        return o->ready.items[0].thread;
    while (o->aside.n > 0) {
        order_entry entry = heap_pop(&o->aside);
        go_thread *t = &o->threads->items[entry.thread];
        if (t->stamp != entry.stamp)
            continue;
        t->stamp++;
        o->forced++;
        *is_forced = true;
        return entry.thread;
    }
    return GO_NONE;
}

void order_put_aside(order *o, uint32_t thread, uint64_t goroutine, uint64_t state)
{
    order_entry entry = entry_of(o, thread);
    uint32_t first = pair_map_find(&o->by_state, goroutine, state);
    heap_push(&o->aside, o->ctx, entry);
    o->waiters =
        brz_list_room(o->ctx, o->waiters, o->n_waiters, &o->waiters_cap, sizeof *o->waiters);
    o->waiters[o->n_waiters] =
        (order_waiter){thread, entry.stamp, first == PAIR_MISS ? NO_WAITER : first};
    pair_map_put(&o->by_state, o->ctx, goroutine, state, (uint32_t)o->n_waiters++);
}

void order_wake(order *o, uint64_t goroutine, uint64_t state)
{
    if (o->aside.n == 0)
        return;
    uint32_t i = pair_map_find(&o->by_state, goroutine, state);
    if (i == PAIR_MISS)
        return;
    bool is_found = false;
    for (; i != NO_WAITER && !is_found; i = o->waiters[i].next) {
        go_thread *t = &o->threads->items[o->waiters[i].thread];
        is_found = t->stamp == o->waiters[i].stamp;
        if (is_found) {
            t->stamp++;
            order_push(o, o->waiters[i].thread);
        }
    }
    pair_map_put(&o->by_state, o->ctx, goroutine, state, i);
}
