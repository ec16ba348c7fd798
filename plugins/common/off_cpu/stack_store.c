/* SPDX-License-Identifier: MIT */
/* Stores stacks that are counted later. */
#include "stack_store.h"

void stack_store_init(stack_store *s, brz_ctx *ctx)
{
    memset(s, 0, sizeof *s);
    brz_frame_cache_init(&s->ids, ctx);
}

static uint32_t append(stack_store *s, brz_ctx *ctx, const brz_frame *frames, size_t n)
{
    s->items = brz_list_room(ctx, s->items, s->n, &s->cap, sizeof *s->items);
    s->items[s->n] = (stored_stack){s->frames.n, n};
    for (size_t i = 0; i < n; i++)
        brz_frame_list_push(&s->frames, ctx, frames[i]);
    return (uint32_t)s->n++;
}

uint32_t stack_store_add(stack_store *s, brz_ctx *ctx, const brz_frame *frames, size_t n)
{
    s->scratch.len = 0;
    brz_text_append(&s->scratch, ctx, brz_str_of((const char *)frames, n * sizeof *frames));
    brz_frame_key key = brz_frame_key_of(&s->ids, s->scratch.data, s->scratch.len, 0);
    uint32_t number = brz_frame_cache_find(&s->ids, &key);
    if (number != BRZ_CACHE_MISS)
        return number;
    number = append(s, ctx, frames, n);
    brz_frame_cache_put(&s->ids, ctx, &key, number);
    return number;
}

const brz_frame *stack_store_frames(const stack_store *s, uint32_t stack, size_t *n)
{
    const stored_stack *stored = &s->items[stack];
    *n = stored->n;
    return s->frames.ids + stored->at;
}

void stack_store_restore(const stack_store *s, brz_ctx *ctx, uint32_t stack, brz_path *path)
{
    size_t n;
    const brz_frame *frames = stack_store_frames(s, stack, &n);
    brz_path_cut(path, 0);
    for (size_t i = 0; i < n; i++)
        brz_path_push(path, ctx, frames[i]);
}
