/* What ids stand for.
 *
 * An element is written out where it is met first, with an id, and later on is a reference to that.
 * Ids are numbers in fact, but nothing here relies on it. An id has a slot from where it is met, so
 * that an element's value can be set when the element ends.
 */
#include "xctrace.h"

void ids_init(id_table *t, brz_ctx *ctx)
{
    brz_frame_cache_init(&t->slots, ctx);
    t->n = 0;
    t->cap = 1024;
    t->values = ctx->host->alloc(ctx, t->cap * sizeof *t->values, 0);
    t->padded_cap = 64;
    t->padded = ctx->host->alloc(ctx, t->padded_cap, 0);
}

/* The id where 31 bytes more may be read. */
static brz_str padded(id_table *t, brz_ctx *ctx, brz_str id)
{
    size_t n = id.len;
    if (t->padded_cap < n + 32) {
        t->padded_cap = 2 * n + 32;
        t->padded = ctx->host->alloc(ctx, t->padded_cap, 0);
    }
    if (n > 0)
        memcpy(t->padded, id.data, n);
    return brz_str_of(t->padded, n);
}

uint32_t ids_slot(id_table *t, brz_ctx *ctx, element_kind kind, brz_str id)
{
    brz_str s = padded(t, ctx, id);
    brz_frame_key key = brz_frame_key_of(&t->slots, s.data, s.len, (uint32_t)kind);
    uint32_t slot = brz_frame_cache_find(&t->slots, &key);
    if (slot != BRZ_CACHE_MISS)
        return slot;
    if (t->n == t->cap)
        t->values = brz_stacks_double(ctx, t->values, t->n, &t->cap, sizeof *t->values);
    slot = (uint32_t)t->n++;
    t->values[slot] = NO_VALUE;
    brz_frame_cache_put(&t->slots, ctx, &key, slot);
    return slot;
}
