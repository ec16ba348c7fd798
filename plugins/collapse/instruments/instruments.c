/* SPDX-License-Identifier: MIT */
/* Collapses call trees copied from Instruments with "Deep Copy":
 *
 *     input  := titles row*
 *     titles := title (TAB title)*               the last one is "Symbol Name"
 *     row    := amount (TAB cell)* TAB indent symbol
 *     amount := number unit [share "%"]
 *
 * One blank of indentation is one call. An amount includes those of the rows below it; a column
 * "Self ..." has the rows' own amounts, which are exact where rounded sums are not. In an inverted
 * tree, one blank is one caller.
 */
#include "columns.h"

#include "../../common/dump/dump.h"
#include "../../common/table/level_tree.h"

/* ---- direction ------------------------------------------------------------------------------- */

typedef enum direction_kind {
    DIRECTION_UNKNOWN,
    CALLERS_FIRST,
    CALLEES_FIRST,
} direction_kind;

typedef struct direction {
    direction_kind kind;
    size_t weight;   /* the weight that decides: its rows have their own amounts and totals */
    int64_t *totals; /* per row on the path, and weight: with the amounts of the rows below */
    size_t cap;      /* capacity in rows */
} direction;

static int64_t *totals_of(const direction *d, const level_tree *t, size_t level)
{
    return d->totals + level * t->n_weights;
}

/* Remembers the totals of the last row of the tree. */
static void direction_add(direction *d, brz_ctx *ctx, const level_tree *t, const int64_t *totals)
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

/* Decides if the last row of the tree, which has no rows below it, allows that. If the tree is
 * inverted, sets the values of its rows to what is left of the totals, and reverses the order of
 * stacks. */
static void direction_decide(direction *d, brz_ctx *ctx, level_tree *t)
{
    if (d->kind != DIRECTION_UNKNOWN)
        return;
    if (level_tree_depth(t) < 2) { /* callees have amounts of their own */
        bool is_caller =
            level_tree_values(t, 0)[d->weight] == 0 && totals_of(d, t, 0)[d->weight] > 0;
        d->kind = is_caller ? CALLERS_FIRST : DIRECTION_UNKNOWN;
        return;
    }
    d->kind = say(d, t);
    if (d->kind != CALLEES_FIRST)
        return;
    set_rest(d, t);
    t->stacks->flags = BRZ_LEAF_FIRST;
    brz_report_count(
        ctx, BRZ_NOTE, "instruments.inverted", 1, 0,
        BRZ_STR("the call tree is inverted: its rows are read from callees to callers"));
}

/* Gives the last row of a tree, which has no rows below it, its totals if its own amounts are less,
 * more than `rounding` and the `lost` amount of rows that are reported explain: the rows below it
 * are missing. Returns whether they are. */
static bool direction_complete(const direction *d, level_tree *t, int64_t lost, int64_t rounding)
{
    size_t level = level_tree_depth(t) - 1;
    int64_t *values = level_tree_values(t, level), rest;
    const int64_t *totals = totals_of(d, t, level);
    if (d->kind != CALLERS_FIRST || totals[d->weight] <= 0 || values[d->weight] < 0)
        return false;
    rest = totals[d->weight] - values[d->weight];
    bool has_own = values[d->weight] > 0;
    int64_t least = has_own || lost > 0 ? rounding : 0;
    bool is_explained = __builtin_add_overflow(least, lost, &least) || rest <= least;
    if (is_explained || (has_own && lost > 0))
        return false;
    memcpy(values, totals, t->n_weights * sizeof *values);
    return true;
}

/* ---- entry points ---------------------------------------------------------------------------- */

/* A row on the path, and the sums of the rows below it. */
typedef struct row_check {
    amounts row;
    int64_t below[COLUMNS_MOST];    /* sums of the rows below it */
    int64_t rounding[COLUMNS_MOST]; /* how much these and the row's amounts may be off */
    bool is_unknown;                /* its amounts are damaged */
    bool lacks_total;               /* so is its total, and its own amount is 0 */
    bool is_reported;
    int64_t lost; /* what rows that are left out have, which may be below it */
} row_check;

typedef struct instruments {
    dump dump;
    level_tree tree;
    columns columns;
    direction direction;
    bool has_titles, has_columns;
    bool has_both; /* rows have their own amounts and totals */
    uint64_t n_incomplete;
    row_check *checks; /* of the rows on the path */
    size_t checks_cap;
    size_t shift; /* level of the first row, whose callers are missing */
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

/* Notes that rows are left out which may be below the last one. */
static void note_lost_row(instruments *t, int64_t own)
{
    if (!t->has_columns || level_tree_depth(&t->tree) == 0)
        return;
    row_check *above = &t->checks[level_tree_depth(&t->tree) - 1];
    if (__builtin_add_overflow(above->lost, own, &above->lost))
        above->lost = INT64_MAX;
}

/* Reports a row that is left out, or several in a line. The row above has their amounts if these
 * are sums. */
static void report_row(instruments *t, brz_str line, brz_str cells)
{
    static const brz_str msg = {"not amounts and a symbol: row left out", 38};
    size_t rows = t->has_columns ? columns_rows(&t->columns, cells) : 0;
    int64_t own, sum = 0;
    bool is_known = rows > 0;
    for (size_t i = 0; i < rows && is_known; i++)
        is_known = columns_read_own(&t->columns, cells, i, &own) &&
                   !__builtin_add_overflow(sum, own, &sum);
    note_lost_row(t, is_known ? sum : INT64_MAX);
    if (dump_depth(&t->dump) > 0 && has_sums(t, 0))
        dump_left_out(&t->dump, "instruments.row", line, msg, 0);
    else if (is_known && !has_sums(t, 0))
        dump_left_out(&t->dump, "instruments.row", line, msg, sum);
    else
        brz_report_lost(t->dump.ctx, "instruments.row", line.data, line.len, msg);
}

/* Declares the weights of the columns, after a row was read. */
static void declare(instruments *t)
{
    static const struct {
        const char *name, *unit;
        uint32_t decimals;
    } weights[] = {
        [AMOUNT_NONE] = {"count", "count", 0},       [AMOUNT_COUNT] = {"count", "count", 0},
        [AMOUNT_TIME] = {"time", "milliseconds", 6}, [AMOUNT_BYTES] = {"bytes", "bytes", 0},
        [AMOUNT_CYCLES] = {"cycles", "cycles", 0},
    };
    level_tree_init(&t->tree, t->dump.ctx, &t->dump.stacks, t->columns.n_shown);
    for (size_t i = 0; i < t->columns.n_shown; i++) {
        amount_kind kind = columns_shown(&t->columns, i)->kind;
        level_tree_declare(&t->tree, t->dump.ctx, brz_str_of_text(weights[kind].name),
                           weights[kind].unit, weights[kind].decimals);
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

/* ---- missing rows ---------------------------------------------------------------------------- */

/* Returns what the rows below a row leave of its amount, less its own one if that is known. */
static int64_t left_of(const instruments *t, const row_check *c, size_t weight)
{
    bool knows_own = t->has_both && t->direction.kind == CALLERS_FIRST &&
                     columns_shown(&t->columns, weight)->is_self;
    int64_t left = c->row.totals[weight] - (knows_own ? c->row.own[weight] : 0);
    return __builtin_sub_overflow(left, c->below[weight], &left) ? 0 : left;
}

/* Reports that rows have more than the row above them, which then is not theirs: a row between is
 * missing. */
static void check_excess(instruments *t, row_check *c, brz_str line)
{
    for (size_t i = 0; i < t->columns.n_shown && !c->is_unknown; i++) {
        if (!columns_have_totals(&t->columns, i) || left_of(t, c, i) >= -c->rounding[i])
            continue;
        if (!c->is_reported)
            BRZ_WARN(t->dump.ctx, "instruments.excess", line.data, line.len,
                     "more than the row above has left: a row between them is missing");
        c->is_reported = true;
    }
}

/* Reports a root of an inverted tree that has not all of its amount: another row is above it. */
static void check_root(instruments *t, const amounts *a, brz_str line)
{
    size_t i = t->direction.weight;
    int64_t rest = a->totals[i] - a->own[i];
    if (t->has_both && t->direction.kind == CALLEES_FIRST && rest > a->rounding[i])
        BRZ_WARN(t->dump.ctx, "instruments.root", line.data, line.len,
                 "a root of an inverted tree without an amount of its own: its level is damaged");
}

/* Adds the last row to what is known of the one above. */
static void check_row(instruments *t, const amounts *a, brz_str line)
{
    size_t level = level_tree_depth(&t->tree) - 1;
    t->checks = brz_list_room(t->dump.ctx, t->checks, level, &t->checks_cap, sizeof *t->checks);
    t->checks[level] = (row_check){.row = *a};
    memcpy(t->checks[level].rounding, a->rounding, sizeof a->rounding);
    if (level == 0) {
        check_root(t, a, line);
        return;
    }
    row_check *above = &t->checks[level - 1];
    for (size_t i = 0; i < t->columns.n_shown; i++)
        if (__builtin_add_overflow(above->below[i], a->totals[i], &above->below[i]) ||
            __builtin_add_overflow(above->rounding[i], a->rounding[i], &above->rounding[i]))
            above->is_unknown = true;
    check_excess(t, above, line);
}

/* Completes the last row, which has no rows below it. If those are missing, its total counts. */
static void complete_row(instruments *t)
{
    direction_decide(&t->direction, t->dump.ctx, &t->tree);
    const row_check *check = &t->checks[level_tree_depth(&t->tree) - 1];
    t->n_incomplete += direction_complete(&t->direction, &t->tree, check->lost,
                                          check->rounding[t->direction.weight]);
    if (t->direction.kind != CALLEES_FIRST && check->lacks_total)
        brz_report_lost(t->dump.ctx, "instruments.total", NULL, 0,
                        BRZ_STR("row with a damaged total, and without rows below it: left out"));
}

/* Removes rows until `depth` rows remain. */
static brz_rc end_calls(instruments *t, size_t depth)
{
    if (t->has_both && depth < level_tree_depth(&t->tree))
        complete_row(t);
    return level_tree_cut(&t->tree, t->dump.ctx, depth);
}

static brz_rc take_row(instruments *t, brz_str line, brz_str symbol, const amounts *a)
{
    size_t level = 0;
    while (level < symbol.len && symbol.data[level] == ' ')
        level++;
    symbol = brz_trim(symbol);
    size_t depth = level_tree_depth(&t->tree);
    if (depth == 0 || level < t->shift)
        t->shift = level;
    level -= t->shift;
    if (level > depth || (depth == 0 && t->shift > 0))
        BRZ_WARN(t->dump.ctx, "instruments.level", line.data, line.len,
                 "a level is skipped: treated as a call of the row above");
    brz_rc rc = end_calls(t, level < depth ? level : depth);
    dump_push(&t->dump, symbol, 0, describe);
    brz_frame frame = t->dump.stacks.path->ids[dump_depth(&t->dump) - 1];
    brz_path_cut(t->dump.stacks.path, dump_depth(&t->dump) - 1);
    set_amounts(t, level_tree_push(&t->tree, t->dump.ctx, frame), a);
    direction_add(&t->direction, t->dump.ctx, &t->tree, a->totals);
    check_row(t, a, line);
    return rc;
}

/* Reads a row whose amounts are damaged: the rows below it are still its own. */
static brz_rc take_damaged_row(instruments *t, brz_str line, brz_str cells, brz_str symbol)
{
    static const brz_str msg = {"not the amounts of a row: it counts nothing", 43};
    amounts none = {.own = {0}};
    int64_t own;
    brz_rc rc = take_row(t, line, symbol, &none);
    level_tree_forget_values(&t->tree);
    row_check *check = &t->checks[level_tree_depth(&t->tree) - 1];
    bool has_own = !has_sums(t, 0) && columns_read_own(&t->columns, cells, 0, &own);
    check->is_unknown = true;
    check->lacks_total = has_own && own == 0 && t->has_both;
    if (check->lacks_total) /* nothing is missing if there are rows below it */
        brz_report(t->dump.ctx, BRZ_WARNING, "instruments.row", line.data, line.len, msg);
    else if (level_tree_depth(&t->tree) > 1 && has_sums(t, 0)) /* the row above has its amount */
        dump_left_out(&t->dump, "instruments.row", line, msg, 0);
    else if (has_own)
        dump_left_out(&t->dump, "instruments.row", line, msg, own);
    else
        brz_report_lost(t->dump.ctx, "instruments.row", line.data, line.len, msg);
    return rc;
}

static brz_rc read_line(void *instance, brz_str line)
{
    instruments *t = instance;
    amounts row;
    brz_str before = line, symbol;
    if (brz_trim(line).len == 0)
        return BRZ_OK;
    if (!t->has_titles) {
        t->has_titles = columns_read_titles(&t->columns, line);
        return BRZ_OK;
    }
    bool has_symbol = brz_cut_last(line, '\t', &before, &symbol) && brz_trim(symbol).len > 0;
    bool good = has_symbol && columns_read(&t->columns, before, &row);
    if (!good && has_symbol && t->has_columns && columns_rows(&t->columns, before) == 1)
        return take_damaged_row(t, line, before, symbol);
    if (!good) {
        report_row(t, line, before);
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

SHIPPED_READER(instruments, .open = dump_open_root_first, .finish = finish)

BRZ_HINTS(BRZ_IF_CONTAINS("Symbol Name"))

SHIPPED_COLLAPSER(
    "instruments", .summary = "call trees copied from Instruments",
    .help =
        "Select the call tree in Instruments, choose Edit > Deep Copy, and paste it into a file.")
