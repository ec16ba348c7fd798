/* SPDX-License-Identifier: MIT */
/* Implements the text table. The hash does not affect any visible order. */
#include "texts.h"

#include <string.h>

#include <brazier/symbol.h>

void texts_init(texts *t, brz_output_ctx *ctx)
{
    memset(t, 0, sizeof *t);
    t->ctx = ctx;
    t->keys = brz_hash_keys_of(ctx->seed);
}

/* Returns the slot of a text, or the free slot where it belongs. */
static uint32_t *slot_of(const texts *t, brz_str text)
{
    size_t at = (size_t)brz_hash_str(&t->keys, text) & (t->n_slots - 1);
    while (t->slots[at] != 0 && !brz_str_equal(t->items[t->slots[at] - 1], text))
        at = (at + 1) & (t->n_slots - 1);
    return &t->slots[at];
}

/* Doubles the capacity; keeps four slots per item. */
static void grow(texts *t)
{
    brz_str *old = t->items;
    t->cap = t->cap == 0 ? 64 : 2 * t->cap;
    t->n_slots = 4 * t->cap;
    t->items = t->ctx->host->alloc(t->ctx, t->cap * sizeof *t->items, 0);
    t->slots = t->ctx->host->alloc(t->ctx, t->n_slots * sizeof *t->slots, 0);
    if (t->n > 0)
        memcpy(t->items, old, t->n * sizeof *t->items);
    for (uint32_t i = 0; i < t->n; i++)
        *slot_of(t, t->items[i]) = i + 1;
}

uint32_t texts_add(texts *t, brz_str text)
{
    if (t->n == t->cap)
        grow(t);
    uint32_t *slot = slot_of(t, text);
    if (*slot == 0) {
        t->items[t->n] = text;
        *slot = ++t->n;
    }
    return *slot - 1;
}
