/* A call tree that is printed a row a function. */
#include "level_tree.h"

void level_tree_init(level_tree *t, brz_ctx *ctx, brz_stacks *stacks, size_t n_weights)
{
    t->stacks = stacks;
    t->n_weights = n_weights;
    t->cap = 256;
    t->values = ctx->host->alloc(ctx, t->cap * n_weights * sizeof *t->values, 0);
    t->holders = ctx->host->alloc(ctx, t->cap * sizeof *t->holders, 0);
}

int64_t *level_tree_push(level_tree *t, brz_ctx *ctx, brz_frame frame)
{
    size_t level = level_tree_depth(t), row = t->n_weights * sizeof *t->values;
    if (level == t->cap) {
        size_t cap = t->cap;
        t->holders = brz_stacks_double(ctx, t->holders, level, &cap, sizeof *t->holders);
        t->values = brz_stacks_double(ctx, t->values, level, &t->cap, row);
    }
    brz_path_push(t->stacks->path, ctx, frame);
    int64_t *values = level_tree_values(t, level);
    memset(values, 0, row);
    t->holders[level] = level + 1;
    return values;
}

void level_tree_forget_values(level_tree *t)
{
    size_t level = level_tree_depth(t) - 1;
    memset(level_tree_values(t, level), 0, t->n_weights * sizeof *t->values);
    t->holders[level] = level > 0 ? t->holders[level - 1] : 0;
}

void level_tree_take_off(level_tree *t, size_t weight)
{
    size_t level = level_tree_depth(t) - 1;
    size_t holder = level > 0 ? t->holders[level - 1] : 0;
    if (holder > 0)
        level_take_off(&level_tree_values(t, holder - 1)[weight],
                       level_tree_values(t, level)[weight]);
}

brz_rc level_tree_pop(level_tree *t, brz_ctx *ctx)
{
    size_t level = level_tree_depth(t) - 1;
    const int64_t *values = level_tree_values(t, level);
    brz_rc rc = BRZ_OK;
    for (size_t i = 0; i < t->n_weights && rc == BRZ_OK; i++)
        if (values[i] > 0)
            rc = brz_stacks_count(t->stacks, ctx, (uint32_t)i, values[i]);
    brz_path_cut(t->stacks->path, level);
    return rc;
}

brz_rc level_tree_cut(level_tree *t, brz_ctx *ctx, size_t depth)
{
    brz_rc rc = BRZ_OK;
    while (rc == BRZ_OK && level_tree_depth(t) > depth)
        rc = level_tree_pop(t, ctx);
    return rc;
}
