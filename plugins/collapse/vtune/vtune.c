/* SPDX-License-Identifier: MIT */
/* Collapses reports that Intel VTune (vtune, formerly amplxe-cl) writes as CSV.
 *
 *     input  := line* header row*
 *     header := cell (delimiter cell)*      one cell of which is "Function Stack"
 *
 * plan.c parses the header, tree.c the rows of a top-down report, callers.c those of a callstacks
 * report; frames.c is common to both. Each row depends on the rows before it, so the input cannot
 * be divided among threads.
 */
#include "reader.h"
#include "../../common/shipped.h"

#include <string.h>

/* ---- entry points ---------------------------------------------------------------------------- */

static brz_rc prelude(brz_ctx *ctx, const brz_chunk *chunk, size_t *used, const void **prelude_data)
{
    vtune_plan *plan = ctx->host->alloc(ctx, sizeof *plan, 0);
    brz_str text = brz_str_of((const char *)chunk->data, chunk->len);
    *prelude_data = plan;
    *used = plan_find(plan, ctx, text);
    if (plan->found)
        csv_report_front(ctx, "vtune.front", brz_str_of(text.data, *used), plan->delimiter,
                         plan->columns);
    if (plan->found)
        return BRZ_OK;
    *used = chunk->len;
    BRZ_WARN(ctx, "vtune.header", NULL, 0,
             "no line names a column 'Function Stack': not a VTune report of call stacks");
    return BRZ_OK;
}

static void declare_weight(level_tree *tree, brz_ctx *ctx, const vtune_metric *m)
{
    static const char *const units[] = {
        [UNIT_COUNT] = "count",
        [UNIT_TIME] = "milliseconds",
        [UNIT_BYTES] = "bytes",
        [UNIT_PERCENT] = "percent",
    };
    level_tree_declare(tree, ctx, m->name, units[m->unit], m->decimals);
}

static brz_rc open_instance(brz_ctx *ctx)
{
    vtune *v = ctx->inst;
    v->options = ctx->cfg;
    v->plan = ctx->prelude_data;
    brz_lines_init(&v->lines, ctx);
    brz_stacks_init(&v->stacks, ctx, v->plan->callers ? BRZ_LEAF_FIRST : 0);
    level_tree_init(&v->tree, ctx, &v->stacks, v->plan->n_metrics);
    callers_init(v, ctx);
    frames_init(v, ctx);
    for (size_t i = 0; i < v->plan->n_metrics; i++)
        declare_weight(&v->tree, ctx, &v->plan->metrics[i]);
    return BRZ_OK;
}

static brz_rc end_report(vtune *v, brz_ctx *ctx)
{
    return v->plan->callers ? callers_end(v, ctx) : tree_end(v, ctx);
}

/* True for the header of one more report that was appended. */
static bool is_header(const vtune *v, const csv_row *row)
{
    if (v->plan->stack >= row->n || row->cells[v->plan->stack].len < 14)
        return false;
    brz_str cell = csv_bare(row->cells[v->plan->stack]);
    return cell.len == 14 && memcmp(cell.data, "Function Stack", 14) == 0;
}

static brz_rc take_line(vtune *v, brz_ctx *ctx, brz_str line)
{
    csv_row row;
    line = brz_trim_end(line);
    if (line.len == 0 || !v->plan->found)
        return BRZ_OK;
    brz_rc rc = BRZ_OK;
    if (!v->plan->callers && tree_idle_row(v, ctx, line, &rc))
        return rc;
    csv_split(line, v->plan->delimiter, v->plan->n_cells, &row);
    if (is_header(v, &row))
        return end_report(v, ctx);
    v->row_is_torn =
        !csv_fits(ctx, "vtune.cells", line, v->plan->delimiter, &row, v->plan->columns);
    return v->plan->callers ? callers_row(v, ctx, &row, line) : tree_row(v, ctx, &row, line);
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    vtune *v = ctx->inst;
    brz_str line;
    brz_rc rc = BRZ_OK;
    brz_lines_start(&v->lines, chunk->data, chunk->len);
    while (rc == BRZ_OK && brz_lines_take(&v->lines, chunk, &line))
        rc = take_line(v, ctx, line);
    *used = chunk->len - brz_lines_rest(&v->lines).len;
    return rc == BRZ_OK && chunk->flags & BRZ_CHUNK_LAST ? end_report(v, ctx) : rc;
}

static brz_rc finish(brz_ctx *ctx)
{
    vtune *v = ctx->inst;
    brz_rc rc = level_tree_finish(&v->tree, ctx);
    return rc == BRZ_OK ? brz_stacks_finish(&v->stacks, ctx) : rc;
}

/* Detects the format by its header, which is unmistakable; a few lines may precede it. */
static int32_t sniff(const brz_head *head)
{
    brz_str text = brz_str_of((const char *)head->data, head->len), line;
    char delimiter;
    for (int lines = 0; lines < 50 && brz_take_line(&text, &line); lines++)
        if (plan_is_header(brz_trim_end(line), &delimiter))
            return BRZ_SNIFF_HEADER;
    return BRZ_SNIFF_NO;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static const brz_option options[] = {
    BRZ_OPTION(vtune_options, "modules-after", BOOL, modules_after, "false",
               "write function(module) instead of module`function"),
    BRZ_OPTION(vtune_options, "no-modules", BOOL, no_modules, "false",
               "leave the module out of names"),
    BRZ_OPTION(vtune_options, "round", BOOL, round, "false",
               "round the times of rows to whole milliseconds"),
};

SHIPPED_READER(vtune, .prelude = prelude, .open = open_instance, .finish = finish)

BRZ_HINTS(BRZ_IF_CONTAINS("Function Stack") BRZ_IF_CONTAINS("Call Stack"))

SHIPPED_COLLAPSER("vtune", .summary = "Intel VTune, its top-down and callstacks reports as CSV",
                  .help =
                      "Write one with `vtune -report top-down -call-stack-mode all -column \"CPU "
                      "Time:Self\",Module -format csv -csv-delimiter comma`.",
                  BRZ_OPTIONS(options, vtune_options))
