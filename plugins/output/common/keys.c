/* SPDX-License-Identifier: MIT */
/* Implements the key table. The hash does not affect any visible order. */
#include "keys.h"

#include <string.h>

void keys_init(keys *k, brz_output_ctx *ctx)
{
    memset(k, 0, sizeof *k);
    k->ctx = ctx;
    k->hash_keys = brz_hash_keys_of(ctx->seed);
}

/* Returns the slot of a key, or the free slot where it belongs. */
static uint32_t *slot_of(const keys *k, uint64_t key)
{
    size_t at = (size_t)brz_hash_pair(&k->hash_keys, key, 0) & (k->n_slots - 1);
    while (k->slots[at] != 0 && k->items[k->slots[at] - 1] != key)
        at = (at + 1) & (k->n_slots - 1);
    return &k->slots[at];
}

/* Doubles the capacity; keeps four slots per item. */
static void grow(keys *k)
{
    uint64_t *old = k->items;
    k->cap = k->cap == 0 ? 64 : 2 * k->cap;
    k->n_slots = 4 * k->cap;
    k->items = k->ctx->host->alloc(k->ctx, k->cap * sizeof *k->items, 0);
    k->slots = k->ctx->host->alloc(k->ctx, k->n_slots * sizeof *k->slots, 0);
    if (k->n > 0)
        memcpy(k->items, old, k->n * sizeof *k->items);
    for (uint32_t i = 0; i < k->n; i++)
        *slot_of(k, k->items[i]) = i + 1;
}

uint32_t keys_add(keys *k, uint64_t key)
{
    if (k->n == k->cap)
        grow(k);
    uint32_t *slot = slot_of(k, key);
    if (*slot == 0) {
        k->items[k->n] = key;
        *slot = ++k->n;
    }
    return *slot - 1;
}
