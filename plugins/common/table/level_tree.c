/* SPDX-License-Identifier: MIT */
/* Builds stacks from a call tree printed with one row per function. */
#include "level_tree.h"

#include "../sample_count.h"

void level_tree_init(level_tree *t, brz_ctx *ctx, brz_stacks *stacks, size_t n_weights)
{
    t->stacks = stacks;
    t->n_weights = n_weights;
    t->cap = 256;
    t->values = ctx->host->alloc(ctx, t->cap * n_weights * sizeof *t->values, 0);
    t->holders = ctx->host->alloc(ctx, t->cap * sizeof *t->holders, 0);
    t->sums_cap = 256;
    t->sums = ctx->host->alloc(ctx, t->sums_cap * n_weights * sizeof *t->sums, 0);
    t->columns = ctx->host->alloc(ctx, n_weights * sizeof *t->columns, 0);
    t->n_columns = 0;
    t->n_declared = 0;
}

void level_tree_declare(level_tree *t, brz_ctx *ctx, brz_str name, const char *unit,
                        uint32_t decimals)
{
    /* without decimals, which would replace those of an earlier weight */
    uint32_t column = BRZ_DECLARE_COLUMN(ctx, .name = name, .unit = brz_str_of_text(unit),
                                         .flags = sample_count_flags(name));
    bool is_new = column == t->n_columns;
    t->columns[t->n_declared++] = is_new ? column : BRZ_NO_COLUMN;
    if (!is_new)
        return;
    ctx->host->decimals(ctx, column, decimals);
    t->n_columns++;
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

bool level_tree_missing(const level_tree *t, int64_t value, int64_t *missing)
{
    size_t level = level_tree_depth(t) - 1;
    size_t holder = level > 0 ? t->holders[level - 1] : 0;
    int64_t kept = holder > 0 ? t->values[(holder - 1) * t->n_weights] : 0;
    *missing = value > kept ? value - kept : 0;
    return holder > 0 && (value >= 0 || kept > 0);
}

/* Counts the values of a stack at once, in input order. */
static brz_rc count_in_order(level_tree *t, brz_ctx *ctx, const int64_t *values)
{
    brz_rc rc = BRZ_OK;
    brz_stacks_begin_sample(t->stacks);
    for (size_t i = 0; i < t->n_weights && rc == BRZ_OK; i++)
        if (values[i] > 0 && t->columns[i] != BRZ_NO_COLUMN)
            rc = brz_stacks_count(t->stacks, ctx, t->columns[i], values[i]);
    brz_stacks_end_sample(t->stacks);
    return rc;
}

static void count(level_tree *t, brz_ctx *ctx, const int64_t *values)
{
    brz_stacks_entry *e = brz_stacks_entry_of(t->stacks, ctx, 0);
    size_t at = (size_t)(e - t->stacks->entries);
    if (at >= t->sums_cap)
        t->sums = brz_stacks_double(ctx, t->sums, t->sums_cap, &t->sums_cap,
                                    t->n_weights * sizeof *t->sums);
    brz_stacks_sum(t->stacks, &e->value, values[0]);
    for (size_t i = 1; i < t->n_weights; i++)
        brz_stacks_sum(t->stacks, &t->sums[at * t->n_weights + i], values[i]);
}

brz_rc level_tree_pop(level_tree *t, brz_ctx *ctx)
{
    size_t level = level_tree_depth(t) - 1;
    const int64_t *values = level_tree_values(t, level);
    brz_rc rc = BRZ_OK;
    bool any = false;
    for (size_t i = 0; i < t->n_weights; i++)
        any |= values[i] > 0;
    if (any && t->stacks->ordered)
        rc = count_in_order(t, ctx, values);
    else if (any)
        count(t, ctx, values);
    brz_path_cut(t->stacks->path, level);
    return rc;
}

brz_rc level_tree_finish(level_tree *t, brz_ctx *ctx)
{
    brz_rc rc = BRZ_OK;
    size_t n = t->stacks->n_entries < t->sums_cap ? t->stacks->n_entries : t->sums_cap;
    for (size_t k = 0; k < n && !t->stacks->ordered; k++)
        for (size_t i = 1; i < t->n_weights && rc == BRZ_OK; i++) {
            brz_stacks_entry e = t->stacks->entries[k];
            int64_t sum = t->sums[k * t->n_weights + i];
            e.column = t->columns[i];
            if (sum > 0 && e.column != BRZ_NO_COLUMN)
                rc = brz_stacks_send(t->stacks, ctx, &e, sum);
        }
    return rc;
}

brz_rc level_tree_cut(level_tree *t, brz_ctx *ctx, size_t depth)
{
    brz_rc rc = BRZ_OK;
    while (rc == BRZ_OK && level_tree_depth(t) > depth)
        rc = level_tree_pop(t, ctx);
    return rc;
}
