/* Remembers the values of counters. */
#include "counters.h"

#include <brazier/text/buffer.h>

void counters_init(counters *c, brz_ctx *ctx)
{
    memset(c, 0, sizeof *c);
    pair_map_init(&c->known, ctx);
}

/* Returns the last value of a counter; 0 if it is new. */
static uint64_t *last_of(counters *c, brz_ctx *ctx, uint64_t id, uint32_t tid)
{
    uint32_t i = pair_map_find(&c->known, id, tid);
    if (i != PAIR_MISS)
        return &c->values[i];
    c->values = brz_list_room(ctx, c->values, c->n, &c->cap, sizeof *c->values);
    pair_map_put(&c->known, ctx, id, tid, (uint32_t)c->n);
    c->values[c->n] = 0;
    return &c->values[c->n++];
}

uint64_t counters_advance(counters *c, brz_ctx *ctx, uint64_t id, uint32_t tid, uint64_t value)
{
    uint64_t *last = last_of(c, ctx, id, tid);
    uint64_t grown = value < *last ? value : value - *last;
    *last = value;
    return grown;
}
