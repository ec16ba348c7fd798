/* SPDX-License-Identifier: MIT */
/* Maps pairs of numbers to numbers. */
#include "pair_map.h"

#define LEAST_SLOTS 64

static void clear(pair_map *m, size_t n_slots)
{
    m->n_slots = n_slots;
    for (size_t i = 0; i < n_slots; i++)
        m->slots[i].value = PAIR_MISS;
}

static void allocate(pair_map *m, brz_ctx *ctx, size_t n_slots)
{
    m->room = n_slots;
    m->slots = ctx->host->alloc(ctx, n_slots * sizeof *m->slots, 64);
    clear(m, n_slots);
}

void pair_map_init(pair_map *m, brz_ctx *ctx)
{
    m->used = 0;
    m->keys = brz_hash_keys_of(ctx->seed);
    allocate(m, ctx, LEAST_SLOTS);
}

void pair_map_reset(pair_map *m, brz_ctx *ctx, size_t n)
{
    size_t n_slots = LEAST_SLOTS;
    while (n_slots / 2 < n)
        n_slots *= 2;
    m->used = 0;
    m->keys = brz_hash_keys_of(ctx->seed);
    if (n_slots > m->room)
        allocate(m, ctx, n_slots);
    else
        clear(m, n_slots);
}

static void grow(pair_map *m, brz_ctx *ctx)
{
    const pair_slot *old = m->slots;
    size_t n = m->n_slots;
    allocate(m, ctx, 2 * n);
    for (size_t i = 0; i < n; i++)
        if (old[i].value != PAIR_MISS)
            *pair_map_slot(m, old[i].a, old[i].b) = old[i];
}

void pair_map_put(pair_map *m, brz_ctx *ctx, uint64_t a, uint64_t b, uint32_t value)
{
    pair_slot *slot = pair_map_slot(m, a, b);
    if (slot->value == PAIR_MISS && 2 * ++m->used > m->n_slots) {
        grow(m, ctx);
        slot = pair_map_slot(m, a, b);
    }
    *slot = (pair_slot){a, b, value, 0};
}
