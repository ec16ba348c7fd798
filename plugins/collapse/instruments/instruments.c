/* Collapses call trees copied from Instruments with "Deep Copy":
 *
 *     input  := titles row*
 *     titles := title (TAB title)*               the last one is "Symbol Name"
 *     row    := amount (TAB cell)* TAB indent symbol
 *     amount := number unit [share "%"]
 *
 * One blank of indentation is one call. An amount includes those of the rows below it; a column
 * "Self ..." has the rows' own amounts, which are exact where rounded sums are not. In an inverted
 * tree, one blank is one caller (direction.c).
 */
#include "columns.h"

#include "../../common/dump/dump.h"
#include "../../common/table/level_tree.h"
#include "direction.h"

typedef struct instruments {
    dump dump;
    level_tree tree;
    columns columns;
    direction direction;
    bool has_titles, has_columns;
    bool has_both; /* rows have their own amounts and totals */
    uint64_t n_incomplete;
} instruments;

static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    frame->name = dump_repaired(d, text);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Returns whether the amounts of a weight are those of the rows below, too. */
static bool has_sums(const instruments *t, size_t weight)
{
    return t->direction.kind == CALLEES_FIRST || !columns_shown(&t->columns, weight)->is_self;
}

/* Reports a row that is left out. The row above has its amount if that is a sum. */
static void report_row(instruments *t, brz_str line, brz_str msg)
{
    if (dump_depth(&t->dump) > 0 && has_sums(t, 0))
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
    t->has_both = columns_find_both(&t->columns, &t->direction.weight);
    if (!t->has_both)
        t->direction.kind = CALLERS_FIRST;
}

/* Sets the amounts of the last row, and subtracts sums from the row above, which includes them.
 * Sums of rounded amounts may be larger. */
static void set_amounts(instruments *t, int64_t *values, const amounts *a)
{
    for (size_t i = 0; i < t->columns.n_shown; i++) {
        values[i] = has_sums(t, i) ? a->totals[i] : a->own[i];
        if (has_sums(t, i))
            level_tree_take_off(&t->tree, i);
    }
}

/* Removes rows until `depth` rows remain. */
static brz_rc end_calls(instruments *t, size_t depth)
{
    if (t->has_both && depth < level_tree_depth(&t->tree)) {
        direction_decide(&t->direction, t->dump.ctx, &t->tree);
        t->n_incomplete += direction_complete(&t->direction, &t->tree);
    }
    return level_tree_cut(&t->tree, t->dump.ctx, depth);
}

static brz_rc take_row(instruments *t, brz_str line, brz_str symbol, const amounts *a)
{
    size_t level = 0;
    while (level < symbol.len && symbol.data[level] == ' ')
        level++;
    symbol = brz_trim(symbol);
    size_t depth = level_tree_depth(&t->tree);
    if (level > depth)
        BRZ_WARN(t->dump.ctx, "instruments.level", line.data, line.len,
                 "a level is skipped: treated as a call of the row above");
    brz_rc rc = end_calls(t, level < depth ? level : depth);
    dump_push(&t->dump, symbol, 0, describe);
    brz_frame frame = t->dump.stacks.path->ids[dump_depth(&t->dump) - 1];
    brz_path_cut(t->dump.stacks.path, dump_depth(&t->dump) - 1);
    set_amounts(t, level_tree_push(&t->tree, t->dump.ctx, frame), a);
    direction_add(&t->direction, t->dump.ctx, &t->tree, a->totals);
    return rc;
}

static brz_rc read_line(void *instance, brz_str line)
{
    instruments *t = instance;
    amounts row;
    brz_str before, symbol;
    if (brz_trim(line).len == 0)
        return BRZ_OK;
    if (!t->has_titles) {
        t->has_titles = columns_read_titles(&t->columns, line);
        return BRZ_OK;
    }
    if (!brz_cut_last(line, '\t', &before, &symbol) || brz_trim(symbol).len == 0 ||
        !columns_read(&t->columns, before, &row)) {
        report_row(t, line, BRZ_STR("not amounts and a symbol: row left out"));
        return BRZ_OK;
    }
    if (!t->has_columns)
        declare(t);
    return take_row(t, line, symbol, &row);
}

static brz_rc end_rows(void *instance, const char *at)
{
    instruments *t = instance;
    (void)at;
    return t->has_columns ? end_calls(t, 0) : BRZ_OK;
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
    brz_report_count(
        ctx, BRZ_NOTE, "instruments.incomplete", t->n_incomplete, 0,
        BRZ_STR("rows without the rows below them, which Deep Copy copies, too: {count}"));
    return rc == BRZ_OK ? dump_finish(ctx) : rc;
}

DUMP_COLLAPSER(instruments, .open = dump_open_root_first, .finish = finish)

SHIPPED_COLLAPSER(
    "instruments", .summary = "call trees copied from Instruments",
    .help =
        "Select the call tree in Instruments, choose Edit > Deep Copy, and paste it into a file.")
