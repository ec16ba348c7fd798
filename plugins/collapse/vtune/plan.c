/* SPDX-License-Identifier: MIT */
/* Parses the header of a VTune report, which determines the meaning of its rows.
 *
 * One column contains the stack. The others contain text or a metric, a number qualified by ":Self"
 * or ":Total". The first rows show which of the unknown columns are metrics.
 */
#include "reader.h"

#include "../../common/table/decimal.h"

#include <brazier/symbol.h>

#include <string.h>

/* Number of rows examined to find the type of a column. */
#define ROWS_SEEN 200

static bool is_stack_column(brz_str name)
{
    return brz_str_is(name, "Function Stack") || brz_str_is(name, "Call Stack");
}

/* Removes a line from the front of *text. Returns false if there is no complete line. */
static bool take_line(brz_str *text, brz_str *line)
{
    if (!brz_cut_first(*text, '\n', line, text))
        return false;
    *line = brz_trim_end(*line);
    return true;
}

/* ---- the header ------------------------------------------------------------------------------ */

/* Returns the delimiter beside the stack column's name, or 0. */
static char delimiter_beside(brz_str line, size_t at, size_t end)
{
    char c = '\0';
    if (end < line.len && line.data[end] == '"')
        end++;
    if (at > 0 && line.data[at - 1] == '"')
        at--;
    if (end < line.len)
        c = line.data[end];
    else if (at > 0)
        c = line.data[at - 1];
    if (c != ',' && c != ';' && c != '\t' && c != '|')
        c = '\0';
    return c;
}

bool plan_is_header(brz_str line, char *delimiter)
{
    static const brz_str names[] = {{"Function Stack", 14}, {"Call Stack", 10}};
    csv_row row;
    for (size_t i = 0; i < 2; i++) {
        size_t at = brz_str_find(line, names[i], 0);
        if (at == SIZE_MAX)
            continue;
        *delimiter = delimiter_beside(line, at, at + names[i].len);
        if (*delimiter == '\0')
            continue;
        csv_split(line, *delimiter, CSV_CELLS, &row);
        for (size_t k = 0; k < row.n && row.n > 1; k++)
            if (is_stack_column(csv_bare(row.cells[k])))
                return true;
    }
    return false;
}

/* ---- metrics --------------------------------------------------------------------------------- */

typedef enum column_sort { COLUMN_TEXT, COLUMN_SELF, COLUMN_PLAIN, COLUMN_TOTAL } column_sort;

/* A column of the header, and properties of its cells. */
typedef struct column {
    brz_str name;
    column_sort sort;
    bool is_named; /* its name tells the sort */
    bool numbers, others, percents, fractions;
} column;

/* Returns whether a column identifies something, so that its numbers cannot be added up. */
static bool is_identity(brz_str name)
{
    static const char *const names[] = {"Source Line", "Line",      "PID",          "TID",
                                        "Process ID",  "Thread ID", "Start Address"};
    return BRZ_IS_AMONG(name, names);
}

static bool is_rate(brz_str name)
{
    return brz_ends_with(name, BRZ_STR("Rate")) || brz_str_has(name, BRZ_STR("Ratio"));
}

/* Takes the sort of a column from its name. Returns false if its cells tell it. */
static bool take_named_sort(column *c)
{
    if (brz_ends_with(c->name, BRZ_STR(":Self")))
        c->sort = COLUMN_SELF;
    else if (brz_ends_with(c->name, BRZ_STR(":Total")))
        c->sort = COLUMN_TOTAL;
    else if (is_identity(c->name) || is_rate(c->name))
        c->sort = COLUMN_TEXT;
    else if (brz_ends_with(c->name, BRZ_STR("Time")))
        c->sort = COLUMN_PLAIN;
    else
        return false;
    return true;
}

static column_sort sort_of(const column *c)
{
    if (c->is_named)
        return c->sort;
    return c->numbers && !c->others ? COLUMN_PLAIN : COLUMN_TEXT;
}

static void look_at_cell(column *c, const vtune_plan *plan, brz_str cell)
{
    vtune_metric any = {.unit = UNIT_COUNT};
    int64_t value;
    if (cell.len == 0)
        return;
    if (!c->is_named && !c->others && metric_parse(plan, &any, cell, &value, NULL))
        c->numbers = true;
    else
        c->others = true;
    c->percents |= cell.data[cell.len - 1] == '%';
    c->fractions |= memchr(cell.data, '.', cell.len) != NULL;
}

/* Examines the first rows: the content of their cells, and the layout of stacks. */
static void look_at_rows(vtune_plan *plan, column *columns, size_t n, brz_str text)
{
    bool blank = false, indented = false;
    csv_row row;
    brz_str line;
    for (size_t rows = 0; rows < ROWS_SEEN && take_line(&text, &line); rows++) {
        csv_split(line, plan->delimiter, n, &row);
        blank |= row.n > 1 && csv_is_blank(&row);
        if (plan->stack < row.n)
            indented |= row.cells[plan->stack].len > 1 && row.cells[plan->stack].data[0] == ' ';
        for (size_t k = 0; k < row.n; k++)
            if (k != plan->stack)
                look_at_cell(&columns[k], plan, csv_cell(&row, k));
    }
    plan->callers = plan->function != NO_COLUMN || (blank && !indented);
}

static vtune_unit unit_of(const column *c)
{
    if (c->percents)
        return UNIT_PERCENT;
    if (brz_str_has(c->name, BRZ_STR("Time")))
        return UNIT_TIME;
    return brz_str_has(c->name, BRZ_STR("Size")) ? UNIT_BYTES : UNIT_COUNT;
}

/* Returns the decimals of a column. Times are in milliseconds with nanosecond precision. */
static uint32_t decimals_of(const column *c, vtune_unit unit)
{
    if (unit == UNIT_TIME)
        return 6;
    return unit == UNIT_PERCENT || c->fractions ? 3 : 0;
}

/* Returns the name of a metric without its qualifier. */
static brz_str plain_name(brz_ctx *ctx, brz_str name)
{
    if (brz_ends_with(name, BRZ_STR(":Self")))
        name.len -= strlen(":Self");
    else if (brz_ends_with(name, BRZ_STR(":Total")))
        name.len -= strlen(":Total");
    char *copy = ctx->host->alloc(ctx, name.len + 1, 0);
    return brz_str_of(copy, csv_unescape(name, copy));
}

/* Returns whether a column name occurred before: a header may contain duplicates. */
static bool is_known(const vtune_plan *plan, brz_str name)
{
    for (size_t i = 0; i < plan->n_metrics; i++)
        if (brz_str_equal(plan->metrics[i].name, name))
            return true;
    return false;
}

static bool is_default(const vtune_metric *m)
{
    return brz_str_is(m->name, "CPU Time");
}

/* Chooses the columns of the best available type: self values rather than totals. */
static void choose_metrics(vtune_plan *plan, brz_ctx *ctx, const column *columns, size_t n)
{
    column_sort best = COLUMN_TEXT;
    for (size_t k = 0; k < n; k++)
        if (columns[k].sort != COLUMN_TEXT && (best == COLUMN_TEXT || columns[k].sort < best))
            best = columns[k].sort;
    for (size_t k = 0; k < n && best != COLUMN_TEXT; k++) {
        if (columns[k].sort != best)
            continue;
        vtune_metric m = {.name = plain_name(ctx, columns[k].name), .column = k};
        if (m.name.len == 0 || is_known(plan, m.name))
            continue;
        m.unit = unit_of(&columns[k]);
        m.decimals = decimals_of(&columns[k], m.unit);
        plan->metrics[plan->n_metrics++] = m;
        if (!is_default(&m) || is_default(&plan->metrics[0]))
            continue;
        plan->metrics[plan->n_metrics - 1] = plan->metrics[0];
        plan->metrics[0] = m;
    }
    plan->totals = best == COLUMN_TOTAL && !plan->callers;
}

/* ---- header and rows ------------------------------------------------------------------------- */

static void name_columns(vtune_plan *plan, column *columns, const csv_row *header)
{
    plan->stack = plan->function = plan->module = plan->file = NO_COLUMN;
    for (size_t k = 0; k < header->n; k++) {
        brz_str name = columns[k].name = csv_bare(header->cells[k]);
        columns[k].is_named = take_named_sort(&columns[k]);
        if (plan->stack == NO_COLUMN && is_stack_column(name))
            plan->stack = k;
        else if (brz_str_is(name, "Function"))
            plan->function = k;
        else if (brz_str_is(name, "Module"))
            plan->module = k;
        else if (brz_str_is(name, "Source File"))
            plan->file = k;
    }
}

static void need_cell(vtune_plan *plan, size_t k)
{
    if (k != NO_COLUMN && k >= plan->n_cells)
        plan->n_cells = k + 1;
}

static void read_header(vtune_plan *plan, brz_ctx *ctx, brz_str line, brz_str rows)
{
    csv_row header;
    column columns[CSV_CELLS] = {0};
    plan->found = true;
    plan->decimal_comma = plan->delimiter != ',';
    csv_split(line, plan->delimiter, CSV_CELLS, &header);
    plan->columns = csv_columns_of(&header);
    name_columns(plan, columns, &header);
    look_at_rows(plan, columns, header.n, rows);
    for (size_t k = 0; k < header.n; k++)
        columns[k].sort = k == plan->stack ? COLUMN_TEXT : sort_of(&columns[k]);
    choose_metrics(plan, ctx, columns, header.n);
    need_cell(plan, plan->stack);
    need_cell(plan, plan->function);
    need_cell(plan, plan->module);
    need_cell(plan, plan->file);
    for (size_t i = 0; i < plan->n_metrics; i++)
        need_cell(plan, plan->metrics[i].column);
}

size_t plan_find(vtune_plan *plan, brz_ctx *ctx, brz_str text)
{
    brz_str rest = text, line;
    while (take_line(&rest, &line)) {
        if (!plan_is_header(line, &plan->delimiter))
            continue;
        read_header(plan, ctx, line, rest);
        return text.len - rest.len;
    }
    return 0;
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* Returns the number of decimals by which a unit after a number shifts the point, or -1 if it is
 * not a unit. */
static int32_t unit_shift(brz_str unit)
{
    static const struct {
        const char *text;
        int32_t shift;
    } units[] = {{"", 0}, {"s", 0}, {"ms", 3}, {"us", 6}, {"ns", 9}, {"%", 0}};
    for (size_t i = 0; i < BRZ_COUNT_OF(units); i++)
        if (brz_str_is(unit, units[i].text))
            return units[i].shift;
    return -1;
}

/* Removes a number from the front of a cell. Its point is between digits: VTune prints both. */
static bool take_number(brz_str *cell, bool comma, decimal *d)
{
    const char *first = cell->data;
    return decimal_take(cell, comma, d) && brz_is_digit(*first) && brz_is_digit(cell->data[-1]);
}

bool metric_parse(const vtune_plan *plan, const vtune_metric *m, brz_str cell, int64_t *value,
                  int64_t *last)
{
    decimal d = {0, 0}, one;
    *value = 0;
    if (cell.len > 0 && !take_number(&cell, plan->decimal_comma, &d))
        return false;
    int32_t shift = unit_shift(brz_trim(cell));
    if (shift < 0)
        return false;
    d.decimals += shift;
    int32_t decimals = (int32_t)m->decimals;
    if (m->unit == UNIT_TIME)
        decimals += 3; /* converts seconds to milliseconds */
    one = (decimal){1, d.decimals};
    if (last != NULL && !decimal_scale(&one, decimals, last))
        *last = 0;
    return decimal_scale(&d, decimals, value);
}
