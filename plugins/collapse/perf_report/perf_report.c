/* SPDX-License-Identifier: MIT */
/* Collapses the text of `perf report --stdio`:
 *
 *     report := heading* (row graph)*
 *     row    := percent [percent] [samples] column* symbol
 *     graph  := line*                          see branches.c
 *             | (amount frame (";" frame)*)*   with -g folded
 *
 * A line of dots below the titles tells the columns. With --children, rows have the percentage of
 * all samples with a function, and that of the function itself: only the latter counts, since the
 * others count again in the rows of their callees. */
#include "../../common/table/decimal.h"
#include "branches.h"

#include <stdio.h>

#define COLUMNS 32

/* The columns of a row. */
typedef enum field {
    FIELD_TOTAL,
    FIELD_SELF,
    FIELD_SAMPLES,
    FIELD_PERIOD,
    FIELD_COMMAND,
    FIELD_SYMBOL,
    N_FIELDS,
} field;

typedef struct perf_report {
    dump dump;
    branches graph;
    brz_text titles;        /* the line before this one, if it is a comment */
    size_t starts[COLUMNS]; /* of columns */
    size_t n_columns;
    size_t fields[N_FIELDS];   /* index of the column plus 1; 0: absent */
    uint32_t column;           /* of the event */
    bool has_column, has_rows; /* of the event */
    bool in_row;               /* a row has begun that counts */
    bool skips;                /* the graph of a row that does not count */
    bool is_damaged;           /* lines of the event are left out */
    bool by_symbol;            /* the first column that is no number is the symbol */
    bool is_folded;            /* the graph is of -g folded */
    bool is_caller;            /* graphs begin with callers */
    int64_t total, self;       /* of the row */
    brz_frame command, symbol;
    int64_t counted; /* of the event, in hundredths of a per cent */

    int64_t without_graph;
    int64_t without_root;    /* of rows whose graphs lack their first frame, the root */
    int64_t without_callers; /* of rows whose graph has samples of callees, too */
} perf_report;

/* ---- frames ---------------------------------------------------------------------------------- */

static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    (void)d;
    frame->kind = brz_starts_with(text, BRZ_STR("[k] ")) ? BRZ_KIND_KERNEL : BRZ_KIND_USER;
    if (text.len > 4 && text.data[0] == '[' && text.data[2] == ']' && text.data[3] == ' ')
        text = brz_str_from(text, 4);
    frame->name = text;
}

/* Returns the frame of a text. */
static brz_frame frame_of(void *self, brz_str text)
{
    perf_report *p = self;
    brz_path *path = p->dump.stacks.path;
    brz_path_cut(path, 0);
    dump_push(&p->dump, text, 0, describe);
    brz_path_cut(path, 0);
    return path->ids[0];
}

static brz_frame command_of(perf_report *p, brz_str name)
{
    brz_path *path = p->dump.stacks.path;
    brz_path_cut(path, 0);
    dump_push_root(&p->dump, name);
    brz_path_cut(path, 0);
    return path->ids[0];
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Counts a stack, whose frames are in the order of the graph. */
static brz_rc count_chain(perf_report *p, int64_t weight)
{
    const brz_frame_list *chain = &p->graph.chain;
    brz_path *path = p->dump.stacks.path;
    brz_path_cut(path, 0);
    for (size_t i = 0; i < chain->n; i++)
        brz_path_push(path, p->dump.ctx, chain->ids[p->is_caller ? chain->n - 1 - i : i]);
    if (chain->n == 0)
        brz_path_push(path, p->dump.ctx, p->symbol);
    if (p->command != BRZ_NO_FRAME)
        brz_path_push(path, p->dump.ctx, p->command);
    brz_rc rc = brz_stacks_count(&p->dump.stacks, p->dump.ctx, p->column, weight);
    brz_path_cut(path, 0);
    return rc;
}

/* Finds out whether the graph begins with the row's function or ends with it. */
static void find_direction(perf_report *p)
{
    branches *g = &p->graph;
    bool begins = branches_begin_alike(g), ends = branches_end_alike(g);
    if (ends != begins)
        p->is_caller = ends;
    if (!p->by_symbol || p->is_folded || begins)
        return;
    /* A report by symbols first leaves out the first frame of its graphs. */
    if (ends)
        p->without_root += p->self;
    else
        branches_put_first(g, p->symbol);
}

/* Counts the row before this line, with its graph. */
static brz_rc end_row(perf_report *p)
{
    branches *g = &p->graph;
    brz_rc rc = BRZ_OK;
    if (!p->in_row)
        return BRZ_OK;
    p->in_row = false;
    p->counted += p->self;
    if (g->frames.n == 0 || p->self < p->total) {
        *(g->frames.n == 0 ? &p->without_graph : &p->without_callers) += p->self;
        g->chain.n = 0;
        return count_chain(p, p->self);
    }
    find_direction(p);
    branches_divide(g, p->self, p->total);
    for (size_t i = 0; i < g->n && rc == BRZ_OK; i++) {
        int64_t rest = g->items[i].weight - g->items[i].used;
        branches_chain(g, i);
        if (rest > 0)
            rc = count_chain(p, rest);
    }
    return rc;
}

/* Returns the text of a column, or an empty one. */
static brz_str field_of(const perf_report *p, brz_str line, field f)
{
    size_t i = p->fields[f];
    if (i == 0 || p->starts[i - 1] >= line.len)
        return brz_str_of("", 0);
    size_t from = p->starts[i - 1], to = i < p->n_columns ? p->starts[i] : line.len;
    return brz_trim(brz_str_of(line.data + from, (to < line.len ? to : line.len) - from));
}

static bool take_percent(brz_str text, int64_t *value)
{
    bool is_percent;
    return branches_amount(&text, value, &is_percent) && is_percent && text.len == 0;
}

static void declare(perf_report *p, brz_str name)
{
    p->column = BRZ_DECLARE_COLUMN(p->dump.ctx, .name = name, .unit = BRZ_STR("%"), .decimals = 2);
    p->has_column = true;
}

/* Begins a row. Returns false if the line is no row. */
static bool begin_row(perf_report *p, brz_str line)
{
    int64_t total, self;
    brz_str symbol = field_of(p, line, FIELD_SYMBOL);
    if (!take_percent(field_of(p, line, FIELD_TOTAL), &total) || symbol.len == 0)
        return false;
    self = total;
    if (p->fields[FIELD_SELF] != 0 && !take_percent(field_of(p, line, FIELD_SELF), &self))
        return false;
    if (!p->has_column)
        declare(p, BRZ_STR("overhead"));
    brz_str command = field_of(p, line, FIELD_COMMAND);
    p->symbol = frame_of(p, symbol);
    if (symbol.len > 4 && symbol.data[0] == '[' && symbol.data[2] == ']' && symbol.data[3] == ' ')
        symbol = brz_str_from(symbol, 4);
    branches_begin(&p->graph, p->dump.ctx, symbol);
    p->is_folded = false;
    p->has_rows = true;
    p->skips = self == 0;
    p->in_row = self > 0;
    p->total = total;
    p->self = self;
    p->command = command.len > 0 ? command_of(p, command) : BRZ_NO_FRAME;
    return true;
}

/* ---- headings -------------------------------------------------------------------------------- */

/* Reads the line of dots below the titles: "# ........  .......  ......". */
static void read_columns(perf_report *p, brz_str dots)
{
    static const char *const names[] = {"Overhead", "Self",    "Samples",
                                        "Period",   "Command", "Symbol"};
    brz_str titles = brz_text_str(&p->titles);
    memset(p->fields, 0, sizeof p->fields);
    p->n_columns = 0;
    size_t n_numbers = 0;
    for (size_t i = 1; i < dots.len && p->n_columns < COLUMNS; i++)
        if (dots.data[i] == '.' && dots.data[i - 1] == ' ')
            p->starts[p->n_columns++] = i;
    p->starts[0] = 0;
    for (size_t i = 0; i < p->n_columns; i++) {
        size_t from = i == 0 ? 1 : p->starts[i];
        size_t to = i + 1 < p->n_columns ? p->starts[i + 1] : titles.len;
        if (from >= titles.len || to > titles.len)
            break;
        brz_str title = brz_trim(brz_str_of(titles.data + from, to - from));
        size_t f =
            brz_str_is(title, "Children") ? FIELD_TOTAL : brz_str_index(title, names, N_FIELDS);
        if (f < N_FIELDS)
            p->fields[f] = i + 1;
        n_numbers += f < FIELD_COMMAND;
    }
    p->by_symbol = p->fields[FIELD_SYMBOL] == n_numbers + 1;
}

/* Reports what the rows of an event lack. */
static void end_event(perf_report *p)
{
    int64_t missing = 10000 - p->counted;
    if (p->has_rows && missing > (p->is_damaged ? 0 : 100))
        brz_report_lost_weight(p->dump.ctx, "perf-report.missing", NULL, 0,
                               BRZ_STR("rows that the report leaves out are missing"), missing);
    p->has_rows = p->is_damaged = false;
    p->counted = 0;
}

static brz_rc read_comment(perf_report *p, brz_str line)
{
    brz_rc rc = end_row(p);
    size_t at = brz_str_find(line, BRZ_STR(" of event"), 0);
    p->skips = false;
    if (brz_starts_with(line, BRZ_STR("# Samples: ")) && at != SIZE_MAX) {
        brz_str before, name, rest;
        end_event(p);
        if (brz_cut_first(brz_str_from(line, at), '\'', &before, &rest) &&
            brz_cut_last(rest, '\'', &name, &before) && name.len > 0)
            declare(p, name);
    } else if (brz_starts_with(line, BRZ_STR("# ..."))) {
        read_columns(p, line);
    }
    p->titles.len = 0;
    brz_text_append(&p->titles, p->dump.ctx, line);
    return rc;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Reads "10.34% main;work" of -g folded. */
static bool read_folded(perf_report *p, brz_str line)
{
    int64_t value;
    bool is_percent;
    brz_str name;
    if (!branches_amount(&line, &value, &is_percent) || !brz_str_take(&line, " "))
        return false;
    if (!p->in_row)
        return p->skips;
    p->is_folded = true;
    branches_add(&p->graph, 1, value, is_percent);
    while (brz_take_piece(&line, ';', &name))
        branches_frame(&p->graph, frame_of(p, name), name);
    return true;
}

/* Reports a line that is left out. The weight of a line of a graph stays with its row; that of rows
 * is known at the end. */
static void leave_out(perf_report *p, brz_str line)
{
    p->is_damaged = true;
    BRZ_WARN(p->dump.ctx, "perf-report.line", line.data, line.len,
             "neither a row nor a line of its graph: left out");
}

static brz_rc read_line(void *instance, brz_str line)
{
    perf_report *p = instance;
    brz_str text = brz_trim(line);
    if (text.len == 0)
        return BRZ_OK;
    if (*line.data == '#')
        return read_comment(p, line);
    if (p->n_columns == 0) {
        leave_out(p, line);
        return BRZ_OK;
    }
    if (brz_is_digit(*line.data) && (p->in_row || p->skips) && read_folded(p, line))
        return BRZ_OK;
    if (field_of(p, line, FIELD_TOTAL).len > 0) {
        brz_rc rc = end_row(p);
        if (!begin_row(p, line))
            leave_out(p, line);
        return rc;
    }
    if (p->skips || (p->in_row && branches_take(&p->graph, line, frame_of, p)))
        return BRZ_OK;
    leave_out(p, line);
    if (!brz_starts_with(text, BRZ_STR("---")))
        return BRZ_OK;
    p->skips = true; /* the graph of a row that is missing */
    return end_row(p);
}

/* Notes a part of all that has less than whole stacks. */
static void note_part(const perf_report *p, const char *code, int64_t part, const char *why)
{
    char text[200];
    int n = snprintf(text, sizeof text, "%.2f %% %s", (double)part / 100, why);
    if (part > 0)
        brz_report(p->dump.ctx, BRZ_NOTE, code, NULL, 0, brz_str_of(text, (size_t)n));
}

static brz_rc end_input(void *instance, const char *at)
{
    perf_report *p = instance;
    brz_rc rc = end_row(p);
    (void)at;
    end_event(p);
    note_part(p, "perf-report.flat", p->without_graph,
              "have no call graph: each function is a stack of its own");
    note_part(p, "perf-report.callers", p->without_callers,
              "have unknown callers: the graphs of their rows are those of callees, too; report "
              "with --no-children");
    note_part(p, "perf-report.root", p->without_root,
              "lack the outermost caller, which perf leaves out of reports by symbol first");
    return rc;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

DUMP_PARSE_LINES(read_line, end_input)

static bool shows_format(brz_str line)
{
    return brz_starts_with(line, BRZ_STR("# Overhead  ")) ||
           brz_starts_with(line, BRZ_STR("# Children  ")) ||
           brz_starts_with(line, BRZ_STR("# Total Lost Samples: "));
}

DUMP_SNIFF_LINE(shows_format)

SHIPPED_READER(perf_report, .open = dump_open, .finish = dump_finish)

BRZ_HINTS(BRZ_IF_CONTAINS("# Overhead  ") BRZ_IF_CONTAINS("# Children  ")
              BRZ_IF_CONTAINS("# Total Lost Samples: "))

SHIPPED_COLLAPSER("perf-report", .summary = "text of `perf report --stdio`",
                  .help = "Its numbers are rounded, and it leaves out what is rare: `perf script` "
                          "prints all samples. Each event is a weight: see --weight.")
