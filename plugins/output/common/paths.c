/* SPDX-License-Identifier: MIT */
/* Builds the table of paths. */
#include "paths.h"

#include "calls.h"

static bool is_shown(const brz_tree *tree, const brz_stack_info *s)
{
    return s->values[tree->main_column] != 0 ||
           (tree->before != BRZ_NO_COLUMN &&
            (s->values[tree->before] != 0 || s->values[tree->after] != 0));
}

/* Adds the paths of stacks. `open` has the path of the last stack that was added at each depth. */
static void add_paths(paths *p, const brz_tree *tree, paths_which which, const uint32_t *numbers,
                      uint32_t *open)
{
    uint32_t shared = UINT32_MAX; /* frames shared with that stack */
    for (uint32_t i = 0; i < tree->n_stacks; i++) {
        const brz_stack_info *s = brz_stack_at(tree, i);
        shared = s->n_common < shared ? s->n_common : shared;
        if (which == PATHS_OF_SHOWN && !is_shown(tree, s))
            continue;
        for (uint32_t k = shared; k < s->n; k++) {
            uint32_t frame = numbers == NULL ? s->frames[k] : numbers[s->frames[k]];
            open[k + 1] = keys_add(&p->items, key_of_two(open[k], frame)) + 1;
        }
        p->of_stack[i] = open[s->n];
        shared = UINT32_MAX;
    }
}

static void add_sums(paths *p, const brz_tree *tree)
{
    for (uint32_t i = 0; i < tree->n_stacks; i++) {
        const brz_stack_info *s = brz_stack_at(tree, i);
        int64_t *self = p->self + (size_t)p->of_stack[i] * p->n_weights;
        for (uint32_t w = 0; w < p->n_weights; w++)
            self[w] = add_saturated(self[w], s->values[w]);
    }
}

void paths_init_numbered(paths *p, brz_output_ctx *ctx, const brz_tree *tree, paths_which which,
                         const uint32_t *numbers)
{
    size_t depth = (size_t)calls_deepest(tree) + 1;
    keys_init(&p->items, ctx);
    p->n_weights = tree->n_columns;
    p->of_stack = ctx->host->alloc(ctx, ((size_t)tree->n_stacks + 1) * sizeof *p->of_stack, 0);
    add_paths(p, tree, which, numbers, ctx->host->alloc(ctx, depth * sizeof(uint32_t), 0));
    p->self = ctx->host->alloc(ctx, ((size_t)p->items.n + 1) * p->n_weights * sizeof *p->self, 0);
    add_sums(p, tree);
}

void paths_init(paths *p, brz_output_ctx *ctx, const brz_tree *tree, paths_which which)
{
    paths_init_numbered(p, ctx, tree, which, NULL);
}
