/* SPDX-License-Identifier: MIT */
/* The known addresses of code. */
#include "code_table.h"

#define LEAST_SLOTS 64

/* Number of entries that are allocated at a time. */
#define ENTRIES 64

static code_slots *new_slots(brz_ctx *ctx, size_t n)
{
    code_slots *s = ctx->host->alloc(ctx, sizeof *s + n * sizeof s->items[0], 64);
    s->n = n;
    return s;
}

void code_table_init(code_table *t, brz_ctx *ctx)
{
    t->keys = brz_hash_keys_of(ctx->seed);
    atomic_init(&t->slots, new_slots(ctx, LEAST_SLOTS));
}

recent_code *code_table_new_recent(brz_ctx *ctx)
{
    return ctx->host->alloc(ctx, KNOWN_CODE * sizeof(recent_code), 64);
}

/* Returns the slot of an address: its own, or the free one where it belongs. */
static _Atomic(known_code *) *slot_of(const code_table *t, code_slots *s, uint64_t address,
                                      uint64_t context, known_code **k)
{
    size_t mask = s->n - 1, i = (size_t)brz_hash_pair(&t->keys, address, context) & mask;
    for (;; i = (i + 1) & mask) {
        *k = atomic_load_explicit(&s->items[i], memory_order_acquire);
        if (*k == NULL || ((*k)->address == address && (*k)->context == context))
            return &s->items[i];
    }
}

known_code *code_table_search(const code_table *t, uint64_t address, uint64_t context)
{
    known_code *k;
    slot_of(t, atomic_load_explicit(&t->slots, memory_order_acquire), address, context, &k);
    return k;
}

static void put(code_table *t, code_slots *s, known_code *k)
{
    known_code *free;
    _Atomic(known_code *) *slot = slot_of(t, s, k->address, k->context, &free);
    atomic_store_explicit(slot, k, memory_order_release);
}

/* Returns slots with room for another entry: a larger copy of full ones, which others may still be
 * searching. */
static code_slots *make_room(code_table *t, brz_ctx *ctx)
{
    code_slots *old = atomic_load_explicit(&t->slots, memory_order_relaxed);
    if (2 * ++t->used <= old->n)
        return old;
    code_slots *s = new_slots(ctx, 2 * old->n);
    for (size_t i = 0; i < old->n; i++) {
        known_code *k = atomic_load_explicit(&old->items[i], memory_order_relaxed);
        if (k != NULL)
            put(t, s, k);
    }
    atomic_store_explicit(&t->slots, s, memory_order_release);
    return s;
}

known_code *code_table_add(code_table *t, brz_ctx *ctx, uint64_t address, uint64_t context,
                           uint32_t value)
{
    if (t->n_room == 0) {
        t->room = ctx->host->alloc(ctx, ENTRIES * sizeof *t->room, 64);
        t->n_room = ENTRIES;
    }
    known_code *k = &t->room[--t->n_room];
    k->address = address;
    k->context = context;
    k->value = value;
    put(t, make_room(t, ctx), k);
    return k;
}
