/* The rows of a top-down report: a call tree, the level of a row being the blanks in front of its
 * function.
 *
 *     row := blank{level} function delimiter cells
 *
 * A row that cannot be read keeps its place in the tree, so that those below it are not lost, nor
 * counted elsewhere.
 */
#include "vtune.h"

/* The level of a row: blanks in front of the name, which may stand within the quotes. */
static size_t level_of(brz_str cell)
{
    size_t level = 0, i = 0;
    for (; i < cell.len && (cell.data[i] == ' ' || (cell.data[i] == '"' && i == level)); i++)
        level += cell.data[i] == ' ';
    return level;
}

/* A row without cells behind its function. */
static bool is_bad(const vtune *v, const csv_row *row)
{
    return row->n <= v->plan->stack || (row->n == 1 && v->plan->n_cells > 1);
}

static void push_bad(vtune *v, brz_ctx *ctx, brz_str line)
{
    BRZ_WARN(ctx, "vtune.row", line.data, line.len,
             "not a row of the report: what is below it is counted under [unknown]");
    level_tree_push(&v->tree, ctx, unknown_frame(v, ctx));
    level_tree_forget_values(&v->tree);
}

static void push(vtune *v, brz_ctx *ctx, const csv_row *row, brz_str line)
{
    brz_str name = csv_cell(row, v->plan->stack);
    brz_frame frame = name.len > 0 ? row_frame(v, ctx, row, name) : unknown_frame(v, ctx);
    int64_t *values = level_tree_push(&v->tree, ctx, frame);
    if (!row_values(v, ctx, row, line, values, NULL))
        level_tree_forget_values(&v->tree);
    for (size_t i = 0; i < v->plan->n_metrics && v->plan->totals; i++)
        level_tree_take_off(&v->tree, i);
}

brz_rc tree_row(vtune *v, brz_ctx *ctx, const csv_row *row, brz_str line)
{
    size_t level = level_of(v->plan->stack < row->n ? row->cells[v->plan->stack] : line);
    if (csv_is_blank(row))
        return BRZ_OK;
    if (level > level_tree_depth(&v->tree)) {
        BRZ_WARN(ctx, "vtune.level", line.data, line.len,
                 "the row is more than one level below the one before it: left out");
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
