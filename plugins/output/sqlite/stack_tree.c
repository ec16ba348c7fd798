/* SPDX-License-Identifier: MIT */
/* Builds the rows of stacks. */
#include "stack_tree.h"

#include "../common/calls.h"
#include "../common/texts.h"

bool *stack_tree_used(brz_output_ctx *ctx, const brz_tree *tree)
{
    bool *used = ctx->host->alloc(ctx, (size_t)tree->n_frames + 1, 1);
    for (uint32_t i = 0; i < tree->n_stacks; i++) {
        const brz_stack_info *s = brz_stack_at(tree, i);
        for (uint32_t k = s->n_common; k < s->n; k++)
            used[s->frames[k]] = true;
    }
    return used;
}

/* Adds up what the callees have. Callers have lower numbers. */
static void add_totals(stack_tree *t, brz_output_ctx *ctx)
{
    const paths *p = &t->paths;
    size_t n = (size_t)p->items.n + 1, n_weights = p->n_weights;
    t->total = ctx->host->alloc(ctx, n * n_weights * sizeof *t->total, 0);
    for (size_t i = n; i-- > 0;) {
        int64_t *total = t->total + i * n_weights;
        int64_t *above = i == 0 ? NULL : t->total + path_caller(p, (uint32_t)i - 1) * n_weights;
        for (uint32_t w = 0; w < n_weights; w++) {
            total[w] = add_saturated(total[w], path_self(p, (uint32_t)i, w));
            if (above != NULL)
                above[w] = add_saturated(above[w], total[w]);
        }
    }
}

static void add_depths(stack_tree *t, brz_output_ctx *ctx)
{
    const paths *p = &t->paths;
    t->depth = ctx->host->alloc(ctx, ((size_t)p->items.n + 1) * sizeof *t->depth, 0);
    for (uint32_t i = 0; i < p->items.n; i++)
        t->depth[i + 1] = t->depth[path_caller(p, i)] + 1;
}

/* Returns the number of each frame's name. */
static uint32_t *number_names(brz_output_ctx *ctx, const brz_tree *tree, uint32_t *n)
{
    texts names;
    uint32_t *numbers = ctx->host->alloc(ctx, ((size_t)tree->n_frames + 1) * sizeof *numbers, 0);
    texts_init(&names, ctx);
    for (uint32_t i = 0; i < tree->n_frames; i++)
        numbers[i] = texts_add(&names, brz_display_name(brz_frame_at(tree, i)));
    *n = names.n;
    return numbers;
}

/* The current stack of a search for recursion. */
typedef struct walk {
    const uint32_t *names; /* by frame: the number of its name */
    uint32_t *times;       /* by name: how often it is on the stack */
    uint32_t *open;        /* by depth: the number of the name */
    uint32_t *at;          /* by depth: the path */
    uint32_t n;            /* depth of the stack */
} walk;

/* Replaces the frames that a stack does not share with the one before it. */
static void walk_to(walk *v, stack_tree *t, const brz_stack_info *s, uint32_t path)
{
    while (v->n > s->n_common)
        v->times[v->open[--v->n]]--;
    for (uint32_t k = s->n; k > v->n; k--, path = path_caller(&t->paths, path - 1))
        v->at[k - 1] = path;
    for (; v->n < s->n; v->n++) {
        uint32_t name = v->open[v->n] = v->names[s->frames[v->n]];
        t->is_recursive[v->at[v->n]] = v->times[name]++ > 0;
    }
}

static void find_recursion(stack_tree *t, brz_output_ctx *ctx, const brz_tree *tree)
{
    uint32_t n_names;
    size_t depth = (size_t)calls_deepest(tree) + 1;
    walk v = {.names = number_names(ctx, tree, &n_names)};
    v.times = ctx->host->alloc(ctx, ((size_t)n_names + 1) * sizeof *v.times, 0);
    v.open = ctx->host->alloc(ctx, depth * sizeof *v.open, 0);
    v.at = ctx->host->alloc(ctx, depth * sizeof *v.at, 0);
    t->is_recursive = ctx->host->alloc(ctx, (size_t)t->paths.items.n + 1, 1);
    for (uint32_t i = 0; i < tree->n_stacks; i++)
        walk_to(&v, t, brz_stack_at(tree, i), t->paths.of_stack[i]);
}

void stack_tree_init(stack_tree *t, brz_output_ctx *ctx, const brz_tree *tree,
                     const uint32_t *numbers)
{
    paths_init_numbered(&t->paths, ctx, tree, PATHS_OF_ALL, numbers);
    add_totals(t, ctx);
    add_depths(t, ctx);
    find_recursion(t, ctx, tree);
}
