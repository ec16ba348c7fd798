/* Recognises inverted call trees. */
#include "direction.h"

#include "../../common/dump/dump.h"

static int64_t *totals_of(const direction *d, const level_tree *t, size_t level)
{
    return d->totals + level * t->n_weights;
}

void direction_add(direction *d, brz_ctx *ctx, const level_tree *t, const int64_t *totals)
{
    size_t level = level_tree_depth(t) - 1, row = t->n_weights * sizeof *totals;
    if (d->totals == NULL) {
        d->cap = 64;
        d->totals = ctx->host->alloc(ctx, d->cap * row, 0);
    }
    if (level == d->cap)
        d->totals = brz_stacks_double(ctx, d->totals, level, &d->cap, row);
    memcpy(totals_of(d, t, level), totals, row);
}

/* Returns what the last row says. */
static direction_kind say(const direction *d, level_tree *t)
{
    size_t level = level_tree_depth(t) - 1;
    int64_t root = level_tree_values(t, 0)[d->weight];
    if (totals_of(d, t, level)[d->weight] <= 0)
        return DIRECTION_UNKNOWN;
    if (level_tree_values(t, level)[d->weight] > 0 || root <= 0)
        return CALLERS_FIRST;
    return root == totals_of(d, t, 0)[d->weight] ? CALLEES_FIRST : CALLERS_FIRST;
}

/* Replaces the rows' own amounts by their totals less those of the rows below. */
static void set_rest(const direction *d, level_tree *t)
{
    size_t depth = level_tree_depth(t);
    for (size_t level = 0; level < depth; level++)
        for (size_t i = 0; i < t->n_weights; i++) {
            int64_t *value = &level_tree_values(t, level)[i];
            *value = totals_of(d, t, level)[i];
            if (level + 1 < depth)
                level_take_off(value, totals_of(d, t, level + 1)[i]);
        }
}

void direction_decide(direction *d, brz_ctx *ctx, level_tree *t)
{
    if (d->kind != DIRECTION_UNKNOWN || level_tree_depth(t) < 2)
        return;
    d->kind = say(d, t);
    if (d->kind != CALLEES_FIRST)
        return;
    set_rest(d, t);
    t->stacks->flags = BRZ_LEAF_FIRST;
    brz_report_count(
        ctx, BRZ_NOTE, "instruments.inverted", 1, 0,
        BRZ_STR("the call tree is inverted: its rows are read from callees to callers"));
}

bool direction_complete(const direction *d, level_tree *t)
{
    size_t level = level_tree_depth(t) - 1;
    int64_t *values = level_tree_values(t, level);
    const int64_t *totals = totals_of(d, t, level);
    if (d->kind != CALLERS_FIRST || values[d->weight] != 0 || totals[d->weight] <= 0)
        return false;
    memcpy(values, totals, t->n_weights * sizeof *values);
    return true;
}
