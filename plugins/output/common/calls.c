/* SPDX-License-Identifier: MIT */
/* Builds the call tree with all weights. */
#include "calls.h"

#include <brazier/symbol.h>

#include <string.h>

static size_t count_calls(const brz_tree *tree, uint32_t *deepest)
{
    size_t n = 1;
    *deepest = 0;
    for (uint32_t i = 0; i < tree->n_stacks; i++) {
        const brz_stack_info *s = brz_stack_at(tree, i);
        n += s->n - s->n_common;
        *deepest = s->n > *deepest ? s->n : *deepest;
    }
    return n;
}

static void allocate(calls *c, brz_output_ctx *ctx, size_t n, uint32_t n_weights)
{
    c->n_weights = n_weights;
    c->items = ctx->host->alloc(ctx, n * sizeof *c->items, 64);
    c->self = ctx->host->alloc(ctx, n * n_weights * sizeof *c->self, 64);
    c->total = ctx->host->alloc(ctx, n * n_weights * sizeof *c->total, 64);
}

/* Returns the number of leading frames whose names a stack shares with the one before it. */
static uint32_t shared_names(const brz_tree *tree, uint32_t i)
{
    const brz_stack_info *s = brz_stack_at(tree, i);
    uint32_t n = s->n_common;
    if (i == 0)
        return 0;
    const brz_stack_info *last = brz_stack_at(tree, i - 1);
    while (n < s->n && n < last->n &&
           brz_str_equal(brz_frame_at(tree, s->frames[n])->name,
                         brz_frame_at(tree, last->frames[n])->name))
        n++;
    return n;
}

/* Adds a call for each frame that a stack does not share with the stack before it. */
static void add_calls(calls *c, const brz_tree *tree, calls_values values, uint32_t *open)
{
    c->items[0] = (call){.frame = BRZ_NO_FRAME, .subtree = 1};
    c->n = 1;
    open[0] = 0;
    for (uint32_t i = 0; i < tree->n_stacks; i++) {
        const brz_stack_info *s = brz_stack_at(tree, i);
        for (uint32_t k = shared_names(tree, i); k < s->n; k++) {
            c->items[c->n] = (call){s->frames[k], open[k], k + 1, 1};
            open[k + 1] = c->n++;
        }
        int64_t *self = c->self + (size_t)open[s->n] * c->n_weights;
        for (uint32_t w = 0; w < c->n_weights; w++)
            if (s->values[w] > 0 || values == CALLS_SIGNED)
                self[w] = add_saturated(self[w], s->values[w]);
    }
}

/* Computes totals. Callers precede their callees, so one backward pass completes every sum. */
static void add_up(calls *c)
{
    size_t n_weights = c->n_weights;
    memcpy(c->total, c->self, c->n * n_weights * sizeof *c->total);
    for (uint32_t i = c->n; i-- > 1;) {
        uint32_t parent = c->items[i].parent;
        c->items[parent].subtree += c->items[i].subtree;
        for (size_t w = 0; w < n_weights; w++) {
            int64_t *sum = &c->total[parent * n_weights + w];
            *sum = add_saturated(*sum, c->total[i * n_weights + w]);
        }
    }
}

void calls_init(calls *c, brz_output_ctx *ctx, const brz_tree *tree, calls_values values)
{
    uint32_t deepest;
    size_t n = count_calls(tree, &deepest);
    allocate(c, ctx, n, tree->n_columns);
    add_calls(c, tree, values, ctx->host->alloc(ctx, ((size_t)deepest + 1) * sizeof(uint32_t), 0));
    add_up(c);
}

uint32_t *calls_ends(brz_output_ctx *ctx, const brz_tree *tree)
{
    uint32_t deepest, next = 1;
    count_calls(tree, &deepest);
    uint32_t *ends = ctx->host->alloc(ctx, ((size_t)tree->n_stacks + 1) * sizeof *ends, 0);
    uint32_t *open = ctx->host->alloc(ctx, ((size_t)deepest + 1) * sizeof *open, 0);
    for (uint32_t i = 0; i < tree->n_stacks; i++) {
        const brz_stack_info *s = brz_stack_at(tree, i);
        for (uint32_t k = shared_names(tree, i); k < s->n; k++)
            open[k + 1] = next++;
        ends[i] = open[s->n];
    }
    return ends;
}
