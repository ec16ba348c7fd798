/* SPDX-License-Identifier: MIT */
/* Knows the threads of a trace. */
#include "threads.h"

void threads_init(threads *t, brz_ctx *ctx)
{
    *t = (threads){.ctx = ctx};
    pair_map_init(&t->ids, ctx);
}

uint32_t threads_find(threads *t, uint64_t id)
{
    uint32_t i = pair_map_find(&t->ids, id, 0);
    if (i != PAIR_MISS)
        return i;
    t->items = brz_list_room(t->ctx, t->items, t->n, &t->cap, sizeof *t->items);
    t->items[t->n] = (go_thread){.id = id, .first = GO_NONE, .last = GO_NONE};
    pair_map_put(&t->ids, t->ctx, id, 0, (uint32_t)t->n);
    return (uint32_t)t->n++;
}

void threads_add_batch(threads *t, uint64_t id, go_batch batch)
{
    uint32_t i = threads_find(t, id), number = (uint32_t)t->n_batches;
    go_thread *thread = &t->items[i];
    batch.next = GO_NONE;
    t->batches =
        brz_list_room(t->ctx, t->batches, t->n_batches, &t->batches_cap, sizeof *t->batches);
    t->batches[t->n_batches++] = batch;
    if (thread->last != GO_NONE) {
        t->batches[thread->last].next = number;
        thread->last = number;
        return;
    }
    thread->first = thread->last = number;
    t->active = brz_list_room(t->ctx, t->active, t->n_active, &t->active_cap, sizeof *t->active);
    t->active[t->n_active++] = i;
}

bool threads_open_batch(threads *t, uint32_t thread)
{
    go_thread *of = &t->items[thread];
    if (of->first == GO_NONE)
        return false;
    of->at = t->batches[of->first];
    of->first = of->at.next;
    return true;
}

void threads_clear(threads *t)
{
    for (size_t i = 0; i < t->n_active; i++) {
        go_thread *of = &t->items[t->active[i]];
        of->first = of->last = GO_NONE;
    }
    t->n_active = t->n_batches = 0;
}
