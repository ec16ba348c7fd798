/* SPDX-License-Identifier: MIT */
/* Checks the examples of formats that configurations define. */
#include "format_examples.h"

#include <brazier/symbol.h>
#include <brazier/text/pieces.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "fold_input.h"

/* ---- lines ----------------------------------------------------------------------------------- */

/* The lines of a text, sorted. */
typedef struct lines {
    brz_str *items;
    size_t n, cap;
} lines;

static int by_bytes(const void *a, const void *b)
{
    const brz_str *x = a, *y = b;
    int d = memcmp(x->data, y->data, x->len < y->len ? x->len : y->len);
    return d != 0 ? d : (x->len > y->len) - (x->len < y->len);
}

/* Returns the lines that are not blank, without blanks at their ends. */
static lines lines_of(brz_str text)
{
    lines l = {.n = 0};
    for (brz_str line; brz_take_line(&text, &line);) {
        while (line.len > 0 && strchr(" \t\r", line.data[line.len - 1]) != NULL)
            line.len--;
        if (line.len == 0)
            continue;
        l.items = brz_grow(l.items, l.n, &l.cap, sizeof *l.items);
        l.items[l.n++] = line;
    }
    if (l.n > 1)
        qsort(l.items, l.n, sizeof *l.items, by_bytes);
    return l;
}

static bool are_equal(const lines *a, const lines *b)
{
    for (size_t i = 0; i < a->n && i < b->n; i++)
        if (!brz_str_equal(a->items[i], b->items[i]))
            return false;
    return a->n == b->n;
}

/* ---- the table of differences ---------------------------------------------------------------- */

/* Limits on the rows of a table and on the width of its first column. */
#define MOST_ROWS  40
#define MOST_WIDTH 60

/* A table with a row for each line, or for two lines that differ. */
typedef struct table {
    brz_buf text;
    size_t width, rows;
} table;

/* Returns the number of characters of a printable text. */
static size_t count_characters(brz_str s)
{
    size_t n = 0;
    for (size_t i = 0; i < s.len; i++)
        n += ((unsigned char)s.data[i] & 0xc0) != 0x80;
    return n;
}

static void add_row(table *t, char mark, brz_str expected, brz_str real)
{
    brz_buf left = {0};
    if (t->rows++ >= MOST_ROWS)
        return;
    brz_add_printable(&left, expected);
    size_t used = count_characters(brz_buf_str(&left));
    brz_buf_printf(&t->text, "\n  %c %s", mark, brz_buf_text(&left));
    if (real.len > 0) {
        brz_buf_printf(&t->text, "%*s  ", (int)(used < t->width ? t->width - used : 0), "");
        brz_add_printable(&t->text, real);
    }
    brz_buf_finish(&left);
}

static brz_str line_at(const lines *l, size_t i, size_t end)
{
    return i < end ? l->items[i] : brz_str_of("", 0);
}

/* Adds the lines that only one side has, two in a row. */
static void add_differing(table *t, const lines *a, size_t i, size_t i_end, const lines *b,
                          size_t j, size_t j_end)
{
    for (; i < i_end || j < j_end; i++, j++)
        add_row(t, '!', line_at(a, i, i_end), line_at(b, j, j_end));
}

/* Adds the lines of both sides. */
static void add_rows(table *t, const lines *a, const lines *b)
{
    size_t i = 0, j = 0, i_done = 0, j_done = 0;
    while (i < a->n && j < b->n) {
        int d = by_bytes(&a->items[i], &b->items[j]);
        if (d == 0) {
            add_differing(t, a, i_done, i, b, j_done, j);
            add_row(t, ' ', a->items[i], b->items[j]);
            i_done = i + 1;
            j_done = j + 1;
        }
        i += d <= 0;
        j += d >= 0;
    }
    add_differing(t, a, i_done, a->n, b, j_done, b->n);
}

static size_t width_of(const lines *l)
{
    size_t width = strlen("expected");
    for (size_t i = 0; i < l->n; i++) {
        size_t n = count_characters(l->items[i]);
        width = n > width ? n : width;
    }
    return width < MOST_WIDTH ? width : MOST_WIDTH;
}

/* Prints the expected and the real lines beside each other. */
static void say_table(brz_console *console, const lines *expected, const lines *real)
{
    table t = {.width = width_of(expected)};
    brz_buf_printf(&t.text, "expected and real stacks:\n    %-*s  real", (int)t.width, "expected");
    add_rows(&t, expected, real);
    if (t.rows > MOST_ROWS)
        brz_buf_printf(&t.text, "\n    … and %zu more", t.rows - MOST_ROWS);
    brz_say_lines(console, BRZ_NOTE, BRZ_SAYS_CONFIG, brz_buf_str(&t.text));
    brz_buf_finish(&t.text);
}

/* ---- running --------------------------------------------------------------------------------- */

/* Records the first warning or error of a run. */
static void hear(void *to, const brz_notice *notice)
{
    brz_buf *first = to;
    if (notice->severity == BRZ_NOTE || first->len > 0)
        return;
    if (notice->line > 0)
        brz_buf_printf(first, "line %zu: ", (size_t)notice->line);
    brz_notice_add_message(first, notice);
}

/* Collapses a text. Returns false if that fails; `message` is then the reason. */
static bool collapse(const brz_session *s, const char *format, brz_str text, brz_buf *folded,
                     brz_buf *message)
{
    const brz_console quiet = {.report = hear, .to = message};
    const brz_input input = {
        .kind = BRZ_INPUT_MEMORY, .name = "example", .data = text.data, .len = text.len};
    const brz_fold_way usual = {0};
    return brz_fold_input(s, format, &input, &usual, &quiet, folded);
}

/* ---- examples -------------------------------------------------------------------------------- */

static bool complain(brz_session *s, const brz_yaml *at, const char *what)
{
    brz_yaml_say(&s->console, BRZ_FATAL, at, "%s", what);
    return false;
}

/* Returns whether an example has its two texts. Otherwise reports an error. */
static bool check_form(brz_session *s, const brz_yaml *example)
{
    static const char *const keys[] = {"text", "folded", NULL};
    if (example->type != BRZ_YAML_MAP)
        return complain(s, example, "an example is a map: text: …, folded: …");
    if (!brz_config_check_keys(&s->console, example, "an example has no key", keys))
        return false;
    for (size_t i = 0; keys[i] != NULL; i++) {
        const brz_yaml *node = brz_yaml_get(example, keys[i]);
        if (node == NULL || node->type != BRZ_YAML_SCALAR)
            return complain(s, node == NULL ? example : node,
                            "an example needs two texts: text, the input, and folded, its stacks");
    }
    return true;
}

/* Reports that an example has other stacks, and the first message about its text. */
static void say_other(brz_session *s, const brz_yaml *at, const char *id, size_t number,
                      const brz_buf *message)
{
    brz_yaml_say(&s->console, BRZ_FATAL, at, "example %zu of the format '%s' has other stacks%s%s",
                 number, id, message->len > 0 ? "; " : "", brz_buf_text(message));
}

static bool check_example(brz_session *s, const char *id, const brz_yaml *example, size_t number)
{
    brz_buf folded = {0}, message = {0};
    if (!check_form(s, example))
        return false;
    const brz_yaml *at = brz_yaml_get(example, "folded");
    bool ran = collapse(s, id, brz_yaml_get(example, "text")->text, &folded, &message);
    lines expected = lines_of(at->text), real = lines_of(brz_buf_str(&folded));
    bool good = ran && are_equal(&expected, &real);
    if (!ran)
        brz_yaml_say(&s->console, BRZ_FATAL, brz_yaml_get(example, "text")->key,
                     "example %zu of the format '%s' cannot be read: %s", number, id,
                     brz_buf_text(&message));
    else if (!good)
        say_other(s, at->key, id, number, &message);
    if (ran && !good)
        say_table(&s->console, &expected, &real);
    free(expected.items);
    free(real.items);
    brz_buf_finish(&folded);
    brz_buf_finish(&message);
    return good;
}

bool brz_format_check_examples(brz_session *s, const brz_loaded *format)
{
    const brz_yaml *definition = format->format->definition;
    const brz_yaml *list = brz_yaml_get(definition, "examples");
    const char *id = format->component->id;
    size_t n = 0;
    bool good = true;
    if (list == NULL || (list->type == BRZ_YAML_LIST && list->first == NULL))
        brz_yaml_say(&s->console, BRZ_NOTE, definition->key != NULL ? definition->key : definition,
                     "the format '%s' has no examples, so nothing checks it", id);
    else if (list->type != BRZ_YAML_LIST)
        return complain(s, list, "examples are a list of maps: text: …, folded: …");
    for (const brz_yaml *e = list == NULL ? NULL : list->first; e != NULL; e = e->next)
        good &= check_example(s, id, e, ++n);
    return good;
}
