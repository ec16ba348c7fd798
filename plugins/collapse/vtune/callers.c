/* SPDX-License-Identifier: MIT */
/* Parses the rows of a callstacks report: for each function its stacks, from callee to caller.
 *
 *     report   := function*
 *     function := function-row stack*       (without a Function column, a stack alone)
 *     stack    := caller-row+ blank-row
 *
 * The first row of a stack contains its values, the others contain none. A function's row contains
 * the sums of its stacks; if a limit has shortened the report, the sums are larger, and the
 * difference is counted for the function without callers.
 */
#include "reader.h"

#include <string.h>

void callers_init(vtune *v, brz_ctx *ctx)
{
    size_t n = v->plan->n_metrics;
    int64_t *values = ctx->host->alloc(ctx, 4 * (n + 1) * sizeof *values, 0);
    vtune_callers *c = &v->callers;
    c->values = values;
    c->left = values + n;
    c->last = values + 2 * n;
    c->row = values + 3 * n;
}

static brz_rc count(vtune *v, brz_ctx *ctx, const int64_t *values)
{
    brz_rc rc = BRZ_OK;
    brz_stacks_begin_sample(&v->stacks);
    for (size_t i = 0; i < v->plan->n_metrics && rc == BRZ_OK; i++)
        if (values[i] > 0 && v->tree.columns[i] != BRZ_NO_COLUMN)
            rc = brz_stacks_count(&v->stacks, ctx, v->tree.columns[i], values[i]);
    brz_stacks_end_sample(&v->stacks);
    return rc;
}

static brz_rc end_stack(vtune *v, brz_ctx *ctx)
{
    vtune_callers *c = &v->callers;
    if (v->stacks.path->n <= c->leaves)
        return BRZ_OK;
    brz_rc rc = count(v, ctx, c->values);
    for (size_t i = 0; i < v->plan->n_metrics; i++)
        level_take_off(&c->left[i], c->values[i]);
    memset(c->values, 0, v->plan->n_metrics * sizeof *c->values);
    brz_path_cut(v->stacks.path, c->leaves);
    c->stacks++;
    return rc;
}

/* Returns the largest rounding error of a printed value: only times are rounded, to a millisecond
 * at most. */
static int64_t rounded_off(const vtune *v, size_t i)
{
    static const int64_t millisecond = 1000000;
    if (v->plan->metrics[i].unit != UNIT_TIME)
        return 0;
    return v->callers.last[i] < millisecond ? v->callers.last[i] : millisecond;
}

/* Ends a function: counts the part of its values that its stacks do not account for, unless
 * rounding explains it. */
static brz_rc end_function(vtune *v, brz_ctx *ctx)
{
    vtune_callers *c = &v->callers;
    brz_rc rc = end_stack(v, ctx);
    if (rc != BRZ_OK || !c->function)
        return rc;
    for (size_t i = 0; i < v->plan->n_metrics; i++)
        if (c->stacks > 0 && c->left[i] / (int64_t)(c->stacks + 1) < rounded_off(v, i))
            c->left[i] = 0;
    rc = count(v, ctx, c->left);
    brz_path_cut(v->stacks.path, 0);
    c->function = false;
    c->leaves = 0;
    return rc;
}

static brz_rc begin_function(vtune *v, brz_ctx *ctx, const csv_row *row, brz_str line, brz_str name)
{
    vtune_callers *c = &v->callers;
    brz_rc rc = end_function(v, ctx);
    c->function = true;
    c->leaves = 1;
    c->stacks = 0;
    row_metrics m = row_values(v, row, line, c->left, c->last);
    c->is_torn = m.torn;
    if (!m.good)
        report_bad_value(ctx, &m, UNKNOWN_WEIGHT);
    brz_path_push(v->stacks.path, ctx, row_frame(v, ctx, row, name));
    return rc;
}

static bool any(const int64_t *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (values[i] > 0)
            return true;
    return false;
}

/* Returns the weight that is missing because a row of a stack has no values: the row is not the one
 * with the stack's values, or its function keeps them, or it is unknown. */
static int64_t missing_weight(const vtune *v)
{
    const vtune_callers *c = &v->callers;
    bool in_stack = v->stacks.path->n > c->leaves;
    return in_stack || (c->function && c->left[0] > 0) ? 0 : UNKNOWN_WEIGHT;
}

static brz_rc take_caller(vtune *v, brz_ctx *ctx, const csv_row *row, brz_str line, brz_str name)
{
    vtune_callers *c = &v->callers;
    brz_rc rc = BRZ_OK;
    row_metrics m = row_values(v, row, line, c->row, NULL);
    if (!m.good)
        report_bad_value(ctx, &m, missing_weight(v));
    if (m.torn && c->is_torn && c->stacks == 0 && v->stacks.path->n <= c->leaves)
        return BRZ_OK;                     /* the rest of the function's row */
    if (any(c->row, v->plan->n_metrics)) { /* the first row of a stack, with or without a blank row
                                              before it */
        rc = end_stack(v, ctx);
        memcpy(c->values, c->row, v->plan->n_metrics * sizeof *c->values);
    }
    brz_path_push(v->stacks.path, ctx, row_frame(v, ctx, row, name));
    return rc;
}

/* Returns whether a row of one cell has the function of a row that is cut: after the end of a
 * stack, where all other rows have more cells. */
static bool is_cut_function(const vtune *v, const csv_row *row)
{
    const vtune_callers *c = &v->callers;
    bool is_after_stack = v->stacks.path->n <= c->leaves && (c->stacks > 0 || !c->function);
    return v->row_is_torn && row->n == 1 && v->plan->function == 0 && is_after_stack;
}

brz_rc callers_row(vtune *v, brz_ctx *ctx, const csv_row *row, brz_str line)
{
    brz_str function = csv_cell(row, v->plan->function), caller = csv_cell(row, v->plan->stack);
    if (csv_is_blank(row) && v->row_is_torn) {
        report_lost(ctx, "vtune.row", line, BRZ_STR("not a row of the report: left out"),
                    missing_weight(v));
        return BRZ_OK; /* a row with values, or the function of another stack, ends the stack */
    }
    if (csv_is_blank(row))
        return end_stack(v, ctx);
    if (function.len > 0 && (row->n > 1 || is_cut_function(v, row)))
        return begin_function(v, ctx, row, line, function);
    if (row->n > 1 && caller.len > 0)
        return take_caller(v, ctx, row, line, caller);
    /* a row that is not certainly one of callers may be that of a function or have values */
    row_metrics m = row_values(v, row, line, v->callers.row, NULL);
    bool is_caller = m.good && !any(v->callers.row, v->plan->n_metrics);
    bool in_stack = is_caller && v->stacks.path->n > v->callers.leaves;
    report_lost(ctx, "vtune.row", line, BRZ_STR("not a row of the report: left out"),
                in_stack ? 0 : UNKNOWN_WEIGHT);
    return BRZ_OK;
}

brz_rc callers_end(vtune *v, brz_ctx *ctx)
{
    return end_function(v, ctx);
}
