/* SPDX-License-Identifier: MIT */
/* Writes the output "table": the heaviest functions, as text for terminals and logs.
 *
 * The total of a recursive function counts each of its stacks once.
 */
#include <brazier/plugin.h>
#include <brazier/symbol.h>
#include <brazier/write.h>

#include "../../common/shipped.h"
#include "../common/number_text.h"
#include "../common/screen_text.h"

typedef struct options {
    int64_t limit, width;
    int32_t sort, by;
    brz_strlist columns;
    bool all_weights;
    int32_t unit; /* a unit_option */
} options;

typedef enum unit_option { UNIT_AUTO, UNIT_PLAIN } unit_option;

enum {
    SELF,
    SELF_SHARE,
    TOTAL,
    TOTAL_SHARE,
    NAME,
    MODULE,
    FILE_NAME,
    LINE,
    GAINS,
    LOSSES,
    BEFORE,
    AFTER,
    CHANGE,
    CHANGE_SHARE,
    N_COLUMNS
};

static const char *const column_names[N_COLUMNS] = {"self",   "self%", "total", "total%", "name",
                                                    "module", "file",  "line",  "gains",  "losses",
                                                    "before", "after", "delta", "delta%"};

/* State of one table being written. */
typedef struct table {
    brz_output_ctx *ctx;
    const options *options;
    brz_writer w;
    const brz_tree *tree;
    uint32_t columns[2 * N_COLUMNS];
    uint32_t n_columns;
    uint32_t widths[2 * N_COLUMNS];
    uint32_t blanks; /* spaces pending before the next text of the line */
    rows rows;
    bool compares; /* the tree is a comparison */
    const brz_column_info *weight;
    amount_scale scale;
} table;

/* ---- columns ------------------------------------------------------------------------------- */

/* Lists the columns of a table, and the first word that names no column. */
typedef struct columns {
    uint32_t items[2 * N_COLUMNS];
    uint32_t n;
    const char *fault; /* NULL: all words are columns */
    brz_str word;      /* the word that `fault` is about */
    size_t item;       /* index of the option's item that has it */
} columns;

static bool reject(columns *c, const char *fault, brz_str word)
{
    c->fault = fault;
    c->word = word;
    return false;
}

static bool add_column(columns *c, brz_str word)
{
    if (c->n == BRZ_COUNT_OF(c->items))
        return reject(c, "has too many columns at", word);
    for (uint32_t i = 0; i < N_COLUMNS; i++)
        if (brz_str_is(word, column_names[i])) {
            c->items[c->n++] = i;
            return true;
        }
    return reject(
        c,
        "is of self, self%, total, total%, gains, losses, name, module, file, line, before, after, "
        "delta, delta%, not",
        word);
}

/* Adds the columns of a list such as "self,name". Returns false at a word that names no column. */
static bool add_columns(columns *c, brz_str list)
{
    for (size_t from = 0; from <= list.len;) {
        size_t end = from;
        while (end < list.len && list.data[end] != ',')
            end++;
        if (!add_column(c, brz_str_of(list.data + from, end - from)))
            return false;
        from = end + 1;
    }
    return true;
}

/* Returns the usual columns of a comparison, of a weight with losses, or of others. */
static brz_str usual_columns(bool compares, bool has_losses)
{
    if (compares)
        return BRZ_STR("before,after,delta,delta%,name");
    return has_losses ? BRZ_STR("self,self%,total,total%,gains,losses,name")
                      : BRZ_STR("self,self%,total,total%,name");
}

/* Reads the option, whose items together name the columns. */
static columns read_columns(const options *o, bool compares, bool has_losses)
{
    columns c = {.n = 0};
    const brz_strlist *wanted = &o->columns;
    if (wanted->count == 0)
        add_columns(&c, usual_columns(compares, has_losses));
    while (c.item < wanted->count && add_columns(&c, wanted->items[c.item]))
        c.item++;
    return c;
}

static void validate(const void *cfg, brz_option_faults *faults)
{
    char line[256];
    columns c = read_columns(cfg, false, false);
    if (c.fault == NULL)
        return;
    int n = snprintf(line, sizeof line, "%s '%.*s'", c.fault,
                     c.word.len < 80 ? (int)c.word.len : 80, c.word.len == 0 ? "" : c.word.data);
    faults->add(faults, "columns", c.item, brz_str_of(line, (size_t)n));
}

static bool is_text(uint32_t column)
{
    return column == NAME || column == MODULE || column == FILE_NAME;
}

static bool is_of_comparison(uint32_t column)
{
    return column >= BEFORE;
}

static bool shows_totals(const table *t)
{
    return t->options->sort == SORT_TOTAL;
}

static brz_str heading(const table *t, uint32_t column)
{
    static const char *const headings[N_COLUMNS] = {
        "SELF", "SELF%", "TOTAL",  "TOTAL%",      "NAME",       "MODULE",        "FILE",
        "LINE", "GAINS", "LOSSES", "SELF BEFORE", "SELF AFTER", "\316\224 SELF", "\316\224%"};
    static const char *const totals[] = {"TOTAL BEFORE", "TOTAL AFTER", "\316\224 TOTAL",
                                         "\316\224%"};
    uint32_t by = t->options->by == BY_MODULE ? MODULE : t->options->by == BY_FILE ? FILE_NAME : 0;
    const char *text = headings[column == NAME && by != 0 ? by : column];
    if (is_of_comparison(column) && shows_totals(t))
        text = totals[column - BEFORE];
    return brz_str_of_text(text);
}

/* ---- cells --------------------------------------------------------------------------------- */

/* Formats a value with all decimals of the weight, so that decimal points line up. */
static number_text plain_text(int64_t v, uint32_t decimals)
{
    number_text t = {.len = 0};
    char digits[32], *end = digits + sizeof digits;
    char *start = brz_digits(end, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
    while (end - start <= (ptrdiff_t)decimals)
        *--start = '0';
    if (v < 0)
        t.bytes[t.len++] = '-';
    for (; start < end; start++) {
        if (end - start == (ptrdiff_t)decimals && decimals > 0)
            t.bytes[t.len++] = '.';
        t.bytes[t.len++] = *start;
    }
    return t;
}

static number_text value_text(const table *t, int64_t v)
{
    return t->options->unit == UNIT_PLAIN ? plain_text(v, t->weight->decimals)
                                          : number_amount(&t->scale, v);
}

/* Formats a share of all weight. With losses, that is gains and losses together, as in pictures. */
static number_text share_text(const table *of, int64_t v)
{
    double whole = (double)of->weight->total;
    if (of->rows.losses > 0)
        whole = (double)of->rows.gains + (double)of->rows.losses;
    return number_share(whole, v);
}

static number_text comparison_of(const table *t, const row *r, uint32_t column)
{
    int64_t before = shows_totals(t) ? r->before.total : r->before.self;
    int64_t after = shows_totals(t) ? r->after.total : r->after.self;
    switch (column) {
    case BEFORE:
        return value_text(t, before);
    case AFTER:
        return value_text(t, after);
    case CHANGE:
        return number_signed(value_text(t, rows_change(before, after)), rows_change(before, after));
    default:
        return number_change_share(r, before, after);
    }
}

static number_text number_of(const table *t, const row *r, uint32_t column)
{
    if (is_of_comparison(column))
        return comparison_of(t, r, column);
    switch (column) {
    case SELF:
        return value_text(t, r->shown.self);
    case TOTAL:
        return value_text(t, r->shown.total);
    case SELF_SHARE:
        return share_text(t, r->shown.self);
    case TOTAL_SHARE:
        return share_text(t, r->shown.total);
    case GAINS:
        return value_text(t, rows_change(-r->shown.losses, r->shown.total));
    case LOSSES:
        return value_text(t, r->shown.losses);
    default:
        return r->line > 0 ? plain_text(r->line, 0) : (number_text){.len = 0};
    }
}

static brz_str text_of(const row *r, uint32_t column)
{
    return column == NAME ? r->key : column == MODULE ? r->module : r->file;
}

static uint32_t cell_width(const table *t, const row *r, uint32_t column)
{
    if (is_text(column))
        return screen_width(text_of(r, column));
    number_text n = number_of(t, r, column);
    return screen_width(brz_str_of(n.bytes, n.len));
}

/* ---- writing ------------------------------------------------------------------------------- */

static void put_blanks(brz_writer *w, uint32_t n)
{
    while (n-- > 0)
        brz_put_char(w, ' ');
}

/* Sets the column widths to fit their contents; shrinks text columns if the total is too wide. */
static void measure(table *t, uint32_t n_rows)
{
    uint32_t wanted = t->n_columns > 0 ? 2 * (t->n_columns - 1) : 0;
    for (uint32_t c = 0; c < t->n_columns; c++) {
        t->widths[c] = screen_width(heading(t, t->columns[c]));
        for (uint32_t i = 0; i < n_rows; i++) {
            uint32_t width = cell_width(t, t->rows.order[i], t->columns[c]);
            t->widths[c] = width > t->widths[c] ? width : t->widths[c];
        }
        wanted += t->widths[c];
    }
    uint32_t have = (uint32_t)t->options->width;
    for (uint32_t c = t->n_columns; c-- > 0 && have > 0 && wanted > have;) {
        if (!is_text(t->columns[c]))
            continue;
        uint32_t over = wanted - have, spare = t->widths[c] > 8 ? t->widths[c] - 8 : 0;
        t->widths[c] -= over < spare ? over : spare;
        wanted -= over < spare ? over : spare;
    }
}

/* Writes a cell: text aligned left, numbers aligned right. Padding is written only if more text
 * follows on the line. */
static void put_cell(table *t, uint32_t c, brz_str text)
{
    t->blanks += c > 0 ? 2 : 0;
    if (!is_text(t->columns[c]))
        t->blanks += t->widths[c] - screen_width(text);
    if (text.len > 0) {
        put_blanks(&t->w, t->blanks);
        t->blanks = 0;
    }
    uint32_t used = put_screen_text(&t->w, text, t->widths[c]);
    if (is_text(t->columns[c]))
        t->blanks += t->widths[c] - used;
}

static void end_line(table *t)
{
    t->blanks = 0;
    brz_put_char(&t->w, '\n');
}

static void put_row(table *t, const row *r)
{
    for (uint32_t c = 0; c < t->n_columns; c++) {
        number_text n = {.len = 0};
        if (!is_text(t->columns[c]))
            n = number_of(t, r, t->columns[c]);
        put_cell(t, c,
                 is_text(t->columns[c]) ? text_of(r, t->columns[c]) : brz_str_of(n.bytes, n.len));
    }
    end_line(t);
}

/* Writes the parts of a sum of gains and losses. */
static void put_signs(table *t)
{
    if (t->rows.losses > 0) {
        number_text gains = value_text(t, t->rows.gains), losses = value_text(t, t->rows.losses);
        BRZ_PUT(&t->w, " (gains ");
        brz_put(&t->w, gains.bytes, gains.len);
        BRZ_PUT(&t->w, ", losses ");
        brz_put(&t->w, losses.bytes, losses.len);
        brz_put_char(&t->w, ')');
    }
    BRZ_PUT(&t->w, "\n\n");
}

static void put_title(table *t, uint32_t weight)
{
    if (t->options->unit == UNIT_AUTO) {
        put_amount_total(&t->w, t->tree, weight);
        put_signs(t);
        return;
    }
    const brz_column_info *info = t->weight;
    brz_put_scaled(&t->w, info->total, info->decimals);
    brz_put_char(&t->w, ' ');
    put_screen_text(&t->w, info->name, UINT32_MAX);
    if (info->unit.len > 0 && !brz_str_equal(info->unit, info->name) &&
        !brz_str_is(info->unit, "count")) {
        BRZ_PUT(&t->w, " (");
        put_screen_text(&t->w, info->unit, UINT32_MAX);
        brz_put_char(&t->w, ')');
    }
    put_signs(t);
}

/* Returns the number of known rows, which come first. */
static uint32_t known_rows(const rows *r)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->n; i++)
        n += r->items[i].is_known;
    return n;
}

/* Returns how many of `n` rows are shown. */
static uint32_t limited(const table *t, uint32_t n)
{
    bool is_less = t->options->limit > 0 && t->options->limit < n;
    return is_less ? (uint32_t)t->options->limit : n;
}

static void put_more(table *t, uint32_t n)
{
    if (n == 0)
        return;
    BRZ_PUT(&t->w, "\nand ");
    brz_put_u64(&t->w, n);
    BRZ_PUT(&t->w, " more\n");
}

static void put_rows(table *t)
{
    uint32_t known = known_rows(&t->rows), n = limited(t, known);
    measure(t, n);
    for (uint32_t c = 0; c < t->n_columns; c++)
        put_cell(t, c, heading(t, t->columns[c]));
    end_line(t);
    for (uint32_t i = 0; i < n && t->w.rc == BRZ_OK; i++)
        put_row(t, t->rows.order[i]);
    put_more(t, known - n);
}

/* Sets the columns. The option has been validated. */
static void choose_columns(table *t, bool has_losses)
{
    const columns shown = read_columns(t->options, t->compares, has_losses);
    memcpy(t->columns, shown.items, shown.n * sizeof *shown.items);
    t->n_columns = shown.n;
}

static void put_table(table *t, uint32_t weight)
{
    t->weight = brz_column_at(t->tree, weight);
    t->scale = amount_scale_of(t->weight, 1);
    rows_count(&t->rows, t->tree, weight);
    choose_columns(t, t->rows.losses > 0);
    rows_sort(&t->rows, t->options->sort, false);
    put_title(t, weight);
    put_rows(t);
}

/* ---- comparisons --------------------------------------------------------------------------- */

static number_text side_text(const table *t, const row *r, bool is_new)
{
    return value_text(t, is_new ? r->after.total : r->before.total);
}

/* Lists the rows of one side only, with their totals. */
static void put_one_sided(table *t, const char *title, bool is_new)
{
    uint32_t width = 0, n = 0;
    for (uint32_t i = 0; i < t->rows.n; i++) {
        const row *r = t->rows.order[i];
        if (is_new ? !row_is_new(r) : !row_is_vanished(r))
            continue;
        number_text text = side_text(t, r, is_new);
        uint32_t own = screen_width(brz_str_of(text.bytes, text.len));
        width = own > width ? own : width;
        t->rows.spare[n++] = r;
    }
    if (n == 0)
        return;
    brz_put_char(&t->w, '\n');
    brz_put_text(&t->w, title);
    for (uint32_t i = 0; i < limited(t, n); i++) {
        number_text text = side_text(t, t->rows.spare[i], is_new);
        put_blanks(&t->w, width - screen_width(brz_str_of(text.bytes, text.len)));
        brz_put(&t->w, text.bytes, text.len);
        BRZ_PUT(&t->w, "  ");
        put_screen_text(&t->w, t->rows.spare[i]->key, UINT32_MAX);
        brz_put_char(&t->w, '\n');
    }
    put_more(t, n - limited(t, n));
}

static void put_comparison(table *t)
{
    const brz_column_info *before = brz_column_at(t->tree, t->tree->before);
    t->weight = brz_column_at(t->tree, t->tree->after);
    t->scale = amount_scale_of(t->weight, 1);
    rows_compare(&t->rows, t->tree);
    rows_sort(&t->rows, t->options->sort, true);
    number_text a = value_text(t, before->total), b = value_text(t, t->weight->total);
    brz_put(&t->w, a.bytes, a.len);
    BRZ_PUT(&t->w, " before, ");
    brz_put(&t->w, b.bytes, b.len);
    BRZ_PUT(&t->w, " after");
    if (!amount_has_units(&t->scale)) {
        BRZ_PUT(&t->w, " (");
        put_screen_text(&t->w, t->scale.word, UINT32_MAX);
        brz_put_char(&t->w, ')');
    }
    BRZ_PUT(&t->w, "\n\n");
    put_rows(t);
    rows_sort(&t->rows, SORT_TOTAL, true);
    put_one_sided(t, "NEW, BY TOTAL\n", true);
    put_one_sided(t, "VANISHED, BY TOTAL\n", false);
}

/* ---- the output ---------------------------------------------------------------------------- */

/* Returns whether the columns can be shown; reports an error if not. */
static bool check_columns(const table *t)
{
    for (uint32_t c = 0; c < t->n_columns && !t->compares; c++)
        if (is_of_comparison(t->columns[c])) {
            brz_output_report(t->ctx, BRZ_FATAL, "table.columns",
                              BRZ_STR("the columns before, after, delta and delta% belong to "
                                      "comparisons: see 'brazier diff'"));
            return false;
        }
    return true;
}

static void put_weights(table *t)
{
    for (uint32_t w = 0; w < t->tree->n_columns; w++) {
        bool chosen = w == t->tree->main_column;
        if (!chosen && !t->options->all_weights)
            continue;
        if (t->options->all_weights && w > 0)
            brz_put_char(&t->w, '\n');
        put_table(t, w);
    }
}

static brz_rc write_table(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    table t = {.ctx = ctx, .options = ctx->cfg, .tree = tree};
    brz_writer_init(&t.w, ctx, sink);
    t.compares =
        tree->before != BRZ_NO_COLUMN && tree->after != BRZ_NO_COLUMN && !t.options->all_weights;
    choose_columns(&t, false);
    if (!check_columns(&t))
        return BRZ_ERROR;
    rows_init(&t.rows, ctx, tree, t.options->by);
    if (t.compares)
        put_comparison(&t);
    else
        put_weights(&t);
    return brz_writer_finish(&t.w);
}

static const char *const sort_words[] = {"self", "total", "name", NULL};
static const char *const unit_words[] = {"auto", "plain", NULL}; /* indexed by unit_option */
static const char *const by_words[] = {"name", "module", "file", NULL};

static const brz_option option_table[] = {
    BRZ_OPTION(options, "limit", INT, limit, "30", "number of rows; 0: all", .range = "0.."),
    BRZ_OPTION(options, "sort", ENUM, sort, "self",
               "largest self or total first, whatever its sign, or by name; comparisons show the "
               "same weight",
               .choices = sort_words),
    BRZ_OPTION(options, "by", ENUM, by, "name", "group frames into rows by name, module or file",
               .choices = by_words),
    BRZ_OPTION(
        options, "columns", LIST, columns, NULL,
        "self, self%, total, total%, name, module, file, line [self,self%,total,total%,name]; "
        "gains and losses, of which total is the difference [if there are losses]; in comparisons "
        "also before, after, delta, delta% [before,after,delta,delta%,name]"),
    BRZ_OPTION(options, "unit", ENUM, unit, "auto",
               "auto: show times and bytes in units such as ms and MiB; plain: whole numbers",
               .choices = unit_words),
    BRZ_OPTION(options, "all-weights", BOOL, all_weights, "false",
               "print a table for each weight of the profile, not only the selected one"),
    BRZ_OPTION(options, "width", INT, width, "0",
               "shorten names so that lines fit this many columns; 0: never", .range = "0..100000"),
};

static const char *const endings[] = {"table", "table.txt", NULL};

SHIPPED_WRITER(write_table, "text/plain", BRZ_OUTPUT_STACKS)

SHIPPED_PLUGIN("table", BRZ_OUTPUT, &output,
               .summary = "the functions that weigh most, by self or total, as text",
               BRZ_OPTIONS(option_table, options), .validate = validate)
