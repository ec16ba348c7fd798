/* SPDX-License-Identifier: MIT */
/* Remembers the values of counters. */
#include "counters.h"

#include <brazier/text/buffer.h>

/* Stands for a thread among the keys of values that all threads share. */
#define ALL_THREADS (UINT64_C(1) << 32)

void counters_init(counters *c, brz_ctx *ctx)
{
    memset(c, 0, sizeof *c);
    pair_map_init(&c->known, ctx);
}

/* Stores a value of a counter. Returns the value before it, or 0 for the first one. */
static uint64_t exchange(counters *c, brz_ctx *ctx, uint64_t id, uint64_t owner, uint64_t value)
{
    uint32_t i = pair_map_find(&c->known, id, owner);
    if (i == PAIR_MISS) {
        c->values = brz_list_room(ctx, c->values, c->n, &c->cap, sizeof *c->values);
        i = (uint32_t)c->n++;
        pair_map_put(&c->known, ctx, id, owner, i);
        c->values[i] = 0;
    }
    uint64_t last = c->values[i];
    c->values[i] = value;
    return last;
}

uint64_t counters_advance(counters *c, brz_ctx *ctx, uint64_t id, uint32_t tid, uint64_t value,
                          enum counter_scope *scope)
{
    enum counter_scope was = *scope;
    uint64_t of_all = was == COUNTS_OF_THREADS ? 0 : exchange(c, ctx, id, ALL_THREADS, value);
    uint64_t of_thread = was == COUNTS_OF_ALL ? 0 : exchange(c, ctx, id, tid, value);
    if (was == COUNTS_UNKNOWN && value < of_all && value >= of_thread)
        *scope = COUNTS_OF_THREADS;
    uint64_t last = *scope == COUNTS_OF_THREADS ? of_thread : of_all;
    return value < last ? value : value - last;
}
