/* SPDX-License-Identifier: MIT */
/* Parses the rows of a top-down report: a call tree in which the number of spaces before a function
 * is the level of its row.
 *
 *     row := blank{level} function delimiter cells
 *
 * A row that cannot be parsed keeps its place in the tree, so that the rows below it are neither
 * lost nor counted elsewhere.
 */
#include "reader.h"

/* Returns the level of a row: the number of spaces before the name, which may be within the
 * quotes. */
static size_t level_of(brz_str cell)
{
    size_t level = csv_spaces(cell), i = level;
    for (; i < cell.len && (cell.data[i] == ' ' || (cell.data[i] == '"' && i == level)); i++)
        level += cell.data[i] == ' ';
    return level;
}

/* Returns whether a row lacks cells after its function. */
static bool is_bad(const vtune *v, const csv_row *row)
{
    return row->n <= v->plan->stack || (row->n == 1 && v->plan->n_cells > 1);
}

/* ---- rows without values --------------------------------------------------------------------- */

/* Splits a row into its level and the text after it. Most functions of a tree have no self time,
 * and their rows have the same text wherever they occur. Returns false if the level is not simply
 * the number of leading spaces. */
static bool split_level(const vtune *v, brz_str line, size_t *level, brz_str *text)
{
    size_t n = csv_spaces(line);
    *level = n;
    *text = brz_str_of(line.data + n, line.len - n);
    return v->plan->stack == 0 && text->len > 1 && text->data[1] != ' ';
}

static void remember_idle(vtune *v, brz_ctx *ctx, brz_str line, const int64_t *values,
                          brz_frame frame)
{
    size_t level;
    brz_str text;
    for (size_t i = 0; i < v->plan->n_metrics; i++)
        if (values[i] != 0)
            return;
    if (!split_level(v, line, &level, &text))
        return;
    brz_frame_key key = brz_frame_key_of(&v->idle, text.data, text.len, 0);
    if (brz_frame_cache_find(&v->idle, &key) == BRZ_CACHE_MISS)
        brz_frame_cache_put(&v->idle, ctx, &key, frame);
}

bool tree_idle_row(vtune *v, brz_ctx *ctx, brz_str line, brz_rc *rc)
{
    size_t level;
    brz_str text;
    if (!split_level(v, line, &level, &text) || level > level_tree_depth(&v->tree))
        return false;
    brz_frame_key key = brz_frame_key_of(&v->idle, text.data, text.len, 0);
    uint32_t frame = brz_frame_cache_find(&v->idle, &key);
    if (frame == BRZ_CACHE_MISS)
        return false;
    *rc = level_tree_cut(&v->tree, ctx, level);
    level_tree_push(&v->tree, ctx, frame);
    return true;
}

/* ---- other rows ------------------------------------------------------------------------------ */

/* Returns the weight that is missing because the last row counts nothing. An inclusive value is
 * part of that of a row above, which keeps it. */
static int64_t missing_weight(const vtune *v, int64_t weight)
{
    int64_t missing;
    if (!v->plan->totals)
        return weight;
    return level_tree_missing(&v->tree, weight, &missing) ? missing : UNKNOWN_WEIGHT;
}

static void push_bad(vtune *v, brz_ctx *ctx, brz_str line)
{
    level_tree_push(&v->tree, ctx, unknown_frame(v, ctx));
    level_tree_forget_values(&v->tree);
    report_lost(ctx, "vtune.row", line,
                BRZ_STR("not a row of the report: what is below it is counted under [unknown]"),
                missing_weight(v, UNKNOWN_WEIGHT));
}

/* Leaves out a row whose caller is unknown. */
static void leave_out(vtune *v, brz_ctx *ctx, const csv_row *row, brz_str line)
{
    const vtune_metric *m = &v->plan->metrics[0];
    int64_t weight = UNKNOWN_WEIGHT, value;
    if (!v->plan->totals && !v->row_is_torn && v->plan->n_metrics > 0 && m->column < row->n &&
        metric_parse(v->plan, m, csv_cell(row, m->column), &value, NULL))
        weight = value;
    report_lost(ctx, "vtune.level", line,
                BRZ_STR("the row is more than one level below the one before it: left out"),
                weight);
}

static void push(vtune *v, brz_ctx *ctx, const csv_row *row, brz_str line)
{
    brz_str name = csv_cell(row, v->plan->stack);
    brz_frame frame = name.len > 0 ? row_frame(v, ctx, row, name) : unknown_frame(v, ctx);
    int64_t *values = level_tree_push(&v->tree, ctx, frame);
    row_metrics m = row_values(v, row, line, values, NULL);
    if (!m.good) {
        level_tree_forget_values(&v->tree);
        report_bad_value(ctx, &m, missing_weight(v, m.weight));
    } else if (name.len > 0) {
        remember_idle(v, ctx, line, values, frame);
    }
    for (size_t i = 0; i < v->plan->n_metrics && v->plan->totals; i++)
        level_tree_take_off(&v->tree, i);
}

brz_rc tree_row(vtune *v, brz_ctx *ctx, const csv_row *row, brz_str line)
{
    size_t level = level_of(v->plan->stack < row->n ? row->cells[v->plan->stack] : line);
    if (csv_is_blank(row))
        return BRZ_OK;
    if (level > level_tree_depth(&v->tree)) {
        leave_out(v, ctx, row, line);
        return BRZ_OK;
    }
    brz_rc rc = level_tree_cut(&v->tree, ctx, level);
    if (is_bad(v, row))
        push_bad(v, ctx, line);
    else
        push(v, ctx, row, line);
    return rc;
}

brz_rc tree_end(vtune *v, brz_ctx *ctx)
{
    return level_tree_cut(&v->tree, ctx, 0);
}
