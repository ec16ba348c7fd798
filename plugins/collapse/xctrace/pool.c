/* SPDX-License-Identifier: MIT */
/* Stores the distinct backtraces of an input, since later rows may refer to any of them. Backtraces
 * that differ only in addresses are equal. */
#include "reader.h"

void pool_init(pool *p, brz_ctx *ctx)
{
    memset(p, 0, sizeof *p);
    p->keys = brz_hash_keys_of(ctx->seed);
    p->frames_cap = 4096;
    p->frames = ctx->host->alloc(ctx, p->frames_cap * sizeof *p->frames, 0);
    p->cap = 512;
    p->entries = ctx->host->alloc(ctx, p->cap * sizeof *p->entries, 0);
    p->n_slots = 1024;
    p->slots = ctx->host->alloc(ctx, p->n_slots * sizeof *p->slots, 0);
    pool_intern(p, ctx, p->frames, 0);
}

static void put_slot(pool *p, uint32_t entry)
{
    size_t at = (size_t)p->entries[entry].hash & (p->n_slots - 1);
    while (p->slots[at] != 0)
        at = (at + 1) & (p->n_slots - 1);
    p->slots[at] = entry + 1;
}

static void grow_slots(pool *p, brz_ctx *ctx)
{
    p->n_slots *= 2;
    p->slots = ctx->host->alloc(ctx, p->n_slots * sizeof *p->slots, 0);
    for (size_t i = 0; i < p->n; i++)
        put_slot(p, (uint32_t)i);
}

static uint32_t add(pool *p, brz_ctx *ctx, const brz_frame *frames, size_t n, uint64_t hash)
{
    while (p->frames_cap - p->n_frames < n)
        p->frames =
            brz_stacks_double(ctx, p->frames, p->n_frames, &p->frames_cap, sizeof *p->frames);
    if (p->n == p->cap)
        p->entries = brz_stacks_double(ctx, p->entries, p->n, &p->cap, sizeof *p->entries);
    memcpy(p->frames + p->n_frames, frames, n * sizeof *frames);
    p->entries[p->n] = (pool_entry){.start = p->n_frames, .n = n, .hash = hash};
    p->n_frames += n;
    if (2 * ++p->n > p->n_slots)
        grow_slots(p, ctx);
    else
        put_slot(p, (uint32_t)(p->n - 1));
    return (uint32_t)(p->n - 1);
}

uint32_t pool_intern(pool *p, brz_ctx *ctx, const brz_frame *frames, size_t n)
{
    uint64_t hash = BRZ_HASH_EMPTY;
    for (size_t i = 0; i < n; i++)
        hash = brz_hash_step(&p->keys, hash, frames[i]);
    hash = brz_hash_pair(&p->keys, hash, 0);
    for (size_t at = (size_t)hash & (p->n_slots - 1); p->slots[at] != 0;
         at = (at + 1) & (p->n_slots - 1)) {
        const pool_entry *e = &p->entries[p->slots[at] - 1];
        if (e->hash == hash && e->n == n &&
            memcmp(p->frames + e->start, frames, n * sizeof *frames) == 0)
            return p->slots[at] - 1;
    }
    return add(p, ctx, frames, n, hash);
}
