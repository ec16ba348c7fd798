/* Collapses call trees copied from Instruments with "Deep Copy":
 *
 *     input  := titles row*
 *     titles := title (TAB title)*               the last one is "Symbol Name"
 *     row    := amount (TAB cell)* TAB indent symbol
 *     amount := number unit [share "%"]
 *
 * One blank of indentation is one call. An amount includes those of the rows below it; a column
 * "Self ..." has the rows' own amounts, which are exact where rounded sums are not.
 */
#include "columns.h"

#include "../../common/dump/dump.h"
#include "../../common/table/level_tree.h"

typedef struct instruments {
    dump dump;
    level_tree tree;
    columns columns;
    bool has_titles, has_columns;
} instruments;

static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    frame->name = dump_repaired(d, text);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void report_row(instruments *t, brz_str line, brz_str msg)
{
    if (dump_depth(&t->dump) > 0)
        dump_left_out(&t->dump, "instruments.row", line, msg, 0);
    else
        brz_report_lost(t->dump.ctx, "instruments.row", line.data, line.len, msg);
}

static void declare(instruments *t)
{
    level_tree_init(&t->tree, t->dump.ctx, &t->dump.stacks, t->columns.n_shown);
    for (size_t i = 0; i < t->columns.n_shown; i++) {
        brz_weight_desc weight = column_weight(columns_shown(&t->columns, i));
        level_tree_declare(&t->tree, t->dump.ctx, &weight);
    }
    t->has_columns = true;
}

/* Subtracts the amounts of a row from the row above, which includes them. Sums of rounded amounts
 * may be larger. */
static void take_off(instruments *t)
{
    for (size_t i = 0; i < t->columns.n_shown; i++)
        if (!columns_shown(&t->columns, i)->is_self)
            level_tree_take_off(&t->tree, i);
}

static brz_rc take_row(instruments *t, brz_str line, brz_str symbol, const int64_t *amounts)
{
    size_t level = 0;
    while (level < symbol.len && symbol.data[level] == ' ')
        level++;
    symbol = brz_trim(symbol);
    size_t depth = level_tree_depth(&t->tree);
    if (level > depth)
        BRZ_WARN(t->dump.ctx, "instruments.level", line.data, line.len,
                 "a level is skipped: treated as a call of the row above");
    brz_rc rc = level_tree_cut(&t->tree, t->dump.ctx, level < depth ? level : depth);
    dump_push(&t->dump, symbol, 0, describe);
    brz_frame frame = t->dump.stacks.path->ids[dump_depth(&t->dump) - 1];
    brz_path_cut(t->dump.stacks.path, dump_depth(&t->dump) - 1);
    int64_t *values = level_tree_push(&t->tree, t->dump.ctx, frame);
    memcpy(values, amounts, t->columns.n_shown * sizeof *values);
    take_off(t);
    return rc;
}

static brz_rc read_line(void *instance, brz_str line)
{
    instruments *t = instance;
    int64_t amounts[COLUMNS_MOST];
    brz_str before, symbol;
    if (brz_trim(line).len == 0)
        return BRZ_OK;
    if (!t->has_titles) {
        t->has_titles = columns_read_titles(&t->columns, line);
        return BRZ_OK;
    }
    if (!brz_cut_last(line, '\t', &before, &symbol) || brz_trim(symbol).len == 0 ||
        !columns_read(&t->columns, before, amounts)) {
        report_row(t, line, BRZ_STR("not amounts and a symbol: row left out"));
        return BRZ_OK;
    }
    if (!t->has_columns)
        declare(t);
    return take_row(t, line, symbol, amounts);
}

static brz_rc end_rows(void *instance, const char *at)
{
    instruments *t = instance;
    (void)at;
    return t->has_columns ? level_tree_cut(&t->tree, t->dump.ctx, 0) : BRZ_OK;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static int32_t sniff(const brz_head *head)
{
    brz_str text = dump_head_lines(head), line;
    columns c;
    while (brz_block_line(&text, &line))
        if (brz_trim(line).len > 0)
            return columns_read_titles(&c, line) ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
    return BRZ_SNIFF_NO;
}

DUMP_PARSE_LINES(read_line, end_rows)

static brz_rc finish(brz_ctx *ctx)
{
    instruments *t = ctx->inst;
    brz_rc rc = t->has_columns ? level_tree_finish(&t->tree, ctx) : BRZ_OK;
    return rc == BRZ_OK ? dump_finish(ctx) : rc;
}

DUMP_COLLAPSER(instruments, .open = dump_open_root_first, .finish = finish)

SHIPPED_COLLAPSER(
    "instruments", .summary = "call trees copied from Instruments",
    .help =
        "Select the call tree in Instruments, choose Edit > Deep Copy, and paste it into a file.")
