/* SPDX-License-Identifier: MIT */
/* Drafts formats of tables: lines of values between commas, semicolons or tabs, below the names of
 * the columns. */
#include "table_draft.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <brazier/symbol.h>
#include <brazier/text/integer.h>
#include <brazier/text/pieces.h>

#define MOST_COLUMNS 32
#define LINES_READ   200

/* A column of a table. */
typedef struct column {
    brz_str name, above; /* its name, and its value in the line above */
    size_t numbers;      /* lines in which it is a number */
    size_t changes;      /* lines in which it differs from the line above */
    size_t separated[CLI_SEPARATORS];
} column;

typedef struct table {
    char divider;
    brz_str header;
    column columns[MOST_COLUMNS];
    size_t n, lines, odd; /* odd: lines with another number of columns */
} table;

/* Takes a value off the front of a line. Quotes may surround it. */
static bool take_value(brz_str *line, char divider, brz_str *value)
{
    if (line->len > 1 && line->data[0] == '"') {
        const char *end = memchr(line->data + 1, '"', line->len - 1);
        if (end != NULL && (end + 1 == line->data + line->len || end[1] == divider)) {
            brz_str inner = brz_str_of(line->data + 1, (size_t)(end - line->data - 1)), rest;
            rest = brz_str_from(*line, inner.len + 2);
            *line = rest.len > 0 ? brz_str_from(rest, 1) : brz_str_of(NULL, 0);
            *value = inner;
            return true;
        }
    }
    return brz_take_piece(line, divider, value);
}

static bool is_number(brz_str text)
{
    size_t n = 0;
    text.len -= text.len > 1 && text.data[text.len - 1] == '%';
    while (n < text.len && (brz_is_digit(text.data[n]) || (n > 0 && text.data[n] == '.')))
        n++;
    return n > 0 && n == text.len;
}

static void read_header(table *t, brz_str line)
{
    t->header = line;
    for (brz_str name; t->n < MOST_COLUMNS && take_value(&line, t->divider, &name);)
        t->columns[t->n++].name = name;
}

static void read_row(table *t, brz_str line)
{
    size_t n = 0;
    brz_str value;
    t->lines++;
    for (; n < t->n && take_value(&line, t->divider, &value); n++) {
        column *c = &t->columns[n];
        c->numbers += is_number(value);
        c->changes += !brz_str_equal(value, c->above);
        c->above = value;
        for (size_t i = 0; i < CLI_SEPARATORS; i++)
            c->separated[i] += cli_separators[i].text[0] != t->divider &&
                               cli_find_separator(value, &cli_separators[i], 0) != SIZE_MAX;
    }
    t->odd += n < t->n || line.data != NULL;
}

/* Reads the beginning of a table. Returns whether most lines have the columns of the header, which
 * are not numbers. */
static bool read_table(brz_str text, char divider, table *t)
{
    *t = (table){.divider = divider};
    for (brz_str line; t->lines < LINES_READ && brz_take_line(&text, &line);) {
        line.len -= line.len > 0 && line.data[line.len - 1] == '\r';
        if (line.len == 0)
            continue;
        if (t->n == 0)
            read_header(t, line);
        else
            read_row(t, line);
    }
    for (size_t i = 0; i < t->n; i++)
        if (t->columns[i].name.len == 0 || is_number(t->columns[i].name))
            return false;
    return t->n >= 2 && t->lines >= 2 && t->odd * 10 <= t->lines;
}

/* ---- choosing columns ------------------------------------------------------------------------ */

static bool has_word(brz_str name, const char *word)
{
    size_t n = strlen(word);
    for (size_t i = 0; i + n <= name.len; i++)
        if (strncasecmp(name.data + i, word, n) == 0)
            return true;
    return false;
}

/* Returns the index of the first word that a name has, or the number of words. */
static size_t rank_of(brz_str name, const char *const *words)
{
    size_t i = 0;
    while (words[i] != NULL && !has_word(name, words[i]))
        i++;
    return i;
}

static bool is_numeric(const table *t, const column *c)
{
    return c->numbers * 10 >= t->lines * 9;
}

/* Returns the index of the column whose name has the first of the words, or MOST_COLUMNS. With
 * `or_any`, a column without any of them counts, too. */
static size_t find_column(const table *t, const char *const *words, bool numeric, bool or_any)
{
    size_t best = MOST_COLUMNS, least = SIZE_MAX, none = 0;
    while (words[none] != NULL)
        none++;
    for (size_t i = 0; i < t->n; i++) {
        size_t rank = rank_of(t->columns[i].name, words);
        if (is_numeric(t, &t->columns[i]) != numeric || rank >= least || (rank == none && !or_any))
            continue;
        least = rank;
        best = i;
    }
    return best;
}

/* Returns the separator that most values of a column have, or CLI_SEPARATORS. */
static size_t separator_of(const table *t, const column *c)
{
    size_t best = CLI_SEPARATORS;
    for (size_t i = 0; i < CLI_SEPARATORS; i++)
        if (c->separated[i] * 3 >= t->lines &&
            (best == CLI_SEPARATORS || c->separated[i] > c->separated[best]))
            best = i;
    return best;
}

static size_t find_stack(const table *t)
{
    static const char *const words[] = {"stack", "path",   "scope", "function", "zone",
                                        "event", "symbol", "task",  "name",     NULL};
    for (size_t i = 0; i < t->n; i++)
        if (!is_numeric(t, &t->columns[i]) && separator_of(t, &t->columns[i]) < CLI_SEPARATORS)
            return i;
    return find_column(t, words, false, true);
}

/* Prefers what a function itself costs: costs with those of its callees would count twice. */
static size_t find_weight(const table *t)
{
    static const char *const words[] = {
        "self",  "own",  "excl", "time",   "dur",   "ms",      "usec",  "nsec", "us", "cost",
        "bytes", "size", "kb",   "weight", "value", "samples", "count", "hits", NULL};
    return find_column(t, words, true, false);
}

/* Returns the unit with which a name ends: "SelfMs", "time_us", "dur (ns)", "bytes". */
static const char *unit_of(brz_str name)
{
    static const char *const units[] = {"bytes", "ns", "us", "ms",  "KiB",
                                        "MiB",   "KB", "MB", "sec", "s"};
    while (name.len > 0 && strchr(")]", name.data[name.len - 1]) != NULL)
        name.len--;
    for (size_t i = 0; i < BRZ_COUNT_OF(units); i++) {
        size_t n = strlen(units[i]);
        if (name.len < n || strncasecmp(name.data + name.len - n, units[i], n) != 0)
            continue;
        char first = name.data[name.len - n];
        char before = '_';
        if (name.len > n)
            before = name.data[name.len - n - 1];
        bool is_capital = first >= 'A' && first <= 'Z' && !(before >= 'A' && before <= 'Z');
        if (is_capital || strchr("_ ([.-/", before) != NULL)
            return units[i];
    }
    return NULL;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Appends an expression of a value, with the name of its group if it has one. */
static void add_value(brz_buf *b, const char *group, char divider, const char *inner)
{
    const char *in = divider == '\t' ? "\\t" : divider == ';' ? ";" : ",";
    if (group == NULL)
        brz_buf_printf(b, "(?:\"[^\"]*\"|[^\"%s]*)", in);
    else if (inner != NULL)
        brz_buf_printf(b, "\"?(?<%s>%s)\"?", group, inner);
    else
        brz_buf_printf(b, "(?:\"(?<%s>[^\"]*)\"|(?<%s>[^\"%s]*))", group, group, in);
}

/* Appends the expression of a row, up to the last column that is needed. */
static void add_row(brz_buf *b, const table *t, size_t stack, size_t weight, size_t thread,
                    const char *group)
{
    size_t last = stack > weight || weight == MOST_COLUMNS ? stack : weight;
    last = thread != MOST_COLUMNS && thread > last ? thread : last;
    for (size_t i = 0; i <= last; i++) {
        const char *name = i == stack    ? group
                           : i == weight ? "weight"
                           : i == thread ? "thread"
                                         : NULL;
        brz_buf_add_text(b, i == 0               ? ""
                            : t->divider == '\t' ? "\\t"
                            : t->divider == ';'  ? ";"
                                                 : ",");
        add_value(b, name, t->divider, i == weight ? "\\d[\\d.]*" : NULL);
    }
    if (last + 1 < t->n)
        brz_buf_add_text(b, t->divider == '\t' ? "\\t" : t->divider == ';' ? ";" : ",");
    else
        brz_buf_add_char(b, '$');
}

static void draft(const table *t, cli_drafts *to)
{
    static const char *const threads[] = {"thread", "tid", NULL};
    size_t stack = find_stack(t), weight = find_weight(t);
    size_t thread = find_column(t, threads, false, false);
    if (stack == MOST_COLUMNS)
        return;
    size_t separator = separator_of(t, &t->columns[stack]);
    const char *unit = weight == MOST_COLUMNS ? NULL : unit_of(t->columns[weight].name);
    brz_buf row = {0}, header = {0}, split = {0};
    add_row(&row, t, stack, weight, thread == stack ? MOST_COLUMNS : thread,
            separator < CLI_SEPARATORS ? "stack" : "function");
    cli_draft_escape(&header, t->header);
    if (separator < CLI_SEPARATORS)
        brz_buf_printf(&split, "  stack: {split: '%s'%s}\n", cli_separators[separator].text,
                       cli_separators[separator].leaf_first ? ", order: leaf-first" : "");
    cli_draft_add(to, CLI_DRAFT_SURE + 1,
                  "use: lines\noptions:\n  ignore: '^%s'\n  sample: '^%s'\n%s%s",
                  brz_buf_text(&header), brz_buf_text(&row), brz_buf_text(&split),
                  cli_draft_unit_lines(unit).text);
    brz_buf_finish(&row);
    brz_buf_finish(&header);
    brz_buf_finish(&split);
}

void cli_draft_table(brz_str text, cli_drafts *to)
{
    table t;
    for (const char *divider = ",;\t"; *divider != '\0'; divider++)
        if (read_table(text, *divider, &t)) {
            draft(&t, to);
            return;
        }
}
