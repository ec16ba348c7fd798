/* SPDX-License-Identifier: MIT */
/* Reads the tables of the Firefox Profiler:
 *
 *     table := {"COLUMN": [value*], …, "length": n}
 *            | {"schema": {"COLUMN": index, …}, "data": [[value*]*]}
 *
 * The first form is that of processed profiles, the second that of Gecko. A value is a whole
 * number, null, true or false.
 */
#include "table.h"

#include <brazier/text/integer.h>

#include <string.h>

#define MOST_CELLS 64 /* of a row */

/* ---- values -------------------------------------------------------------------------------- */

/* Reads a value of a column. Only one column has true and false. */
static int64_t value_of(const brz_json_token *t, const char *column)
{
    int64_t n;
    if (t->kind == BRZ_JSON_TRUE || t->kind == BRZ_JSON_FALSE)
        return strcmp(column, "isJS") == 0 ? t->kind == BRZ_JSON_TRUE : INVALID_VALUE;
    if (t->kind != BRZ_JSON_NUMBER)
        return t->kind == BRZ_JSON_NULL ? NO_VALUE : INVALID_VALUE;
    return brz_parse_i64(t->text, &n) && n >= 0 ? n : NO_VALUE;
}

static void push(numbers *list, brz_ctx *ctx, int64_t value)
{
    list->items = brz_list_room(ctx, list->items, list->n, &list->cap, sizeof value);
    list->items[list->n++] = value;
}

int64_t table_at(const table *t, size_t column, int64_t row)
{
    const numbers *list = &t->columns[column];
    return row >= 0 && (uint64_t)row < list->n ? list->items[row] : NO_VALUE;
}

/* ---- tables -------------------------------------------------------------------------------- */

static void read_column(numbers *list, cursor *c, const char *name)
{
    while (cursor_element(c)) {
        push(list, c->ctx, value_of(&c->token, name));
        cursor_skip(c);
    }
}

/* Reads the columns and returns the values of "schema" and "data". */
static void read_columns(table *t, cursor *c, const char *const *names, size_t n,
                         brz_json_token rows[2])
{
    static const char *const words[] = {"schema", "data"};
    brz_str key;
    while (cursor_member(c, &key)) {
        size_t i = members_find(key, names, n), word = members_find(key, words, 2);
        if (i < n && c->token.kind == BRZ_JSON_ARRAY && t->columns[i].n == 0)
            read_column(&t->columns[i], c, names[i]);
        else if (word < 2)
            rows[word] = members_value(c);
        else
            cursor_skip(c);
    }
}

/* Reads the cells of a row. Returns the cells of the table's columns. */
static void read_row(cursor *c, const uint32_t *places, size_t n, const char *const *names,
                     int64_t *cells)
{
    brz_json_token all[MOST_CELLS];
    size_t n_all = 0;
    if (cursor_enter(c, BRZ_JSON_ARRAY))
        while (cursor_element(c)) {
            if (n_all < MOST_CELLS)
                all[n_all++] = c->token;
            cursor_skip(c);
        }
    for (size_t i = 0; i < n; i++)
        cells[i] = places[i] < n_all ? value_of(&all[places[i]], names[i]) : NO_VALUE;
}

static void read_rows(table *t, brz_ctx *ctx, const brz_json_token rows[2],
                      const char *const *names, size_t n)
{
    brz_json_token values[MOST_COLUMNS] = {{0}};
    uint32_t places[MOST_COLUMNS];
    int64_t cells[MOST_COLUMNS];
    cursor c;
    members_of(ctx, &rows[0], names, n, values);
    for (size_t i = 0; i < n; i++) {
        places[i] = members_number(&values[i], UINT32_MAX);
        if (values[i].kind != BRZ_JSON_MORE && places[i] == UINT32_MAX)
            BRZ_WARN(ctx, "firefox.schema", values[i].text.data, values[i].text.len,
                     "not the number of a column: its values are missing");
    }
    if (!members_open(&c, ctx, &rows[1], BRZ_JSON_ARRAY))
        return;
    while (cursor_element(&c)) {
        read_row(&c, places, n, names, cells);
        for (size_t i = 0; i < n; i++)
            if (values[i].kind != BRZ_JSON_MORE)
                push(&t->columns[i], ctx, places[i] == UINT32_MAX ? INVALID_VALUE : cells[i]);
    }
}

void table_read(table *t, brz_ctx *ctx, const brz_json_token *text, const char *const *names,
                size_t n)
{
    brz_json_token rows[2] = {{0}};
    cursor c;
    if (members_open(&c, ctx, text, BRZ_JSON_OBJECT))
        read_columns(t, &c, names, n, rows);
    if (rows[1].kind == BRZ_JSON_ARRAY)
        read_rows(t, ctx, rows, names, n);
}

/* ---- scopes -------------------------------------------------------------------------------- */

static void read_strings(scope *s, brz_ctx *ctx)
{
    cursor c;
    if (!members_open(&c, ctx, &s->parts[STRINGS], BRZ_JSON_ARRAY))
        return;
    while (cursor_element(&c)) {
        bool text = c.token.kind == BRZ_JSON_STRING;
        brz_str value = text ? c.token.text : brz_str_of(NULL, 0);
        cursor_skip(&c);
        s->strings = brz_list_room(ctx, s->strings, s->n_strings, &s->strings_cap, sizeof value);
        s->strings[s->n_strings++] = value;
    }
}

brz_str scope_string(const scope *s, int64_t index)
{
    return index >= 0 && (uint64_t)index < s->n_strings ? s->strings[index] : brz_str_of(NULL, 0);
}

size_t scope_frames(const scope *s)
{
    size_t n = s->tables[FRAMES]->columns[FRAME_LOCATION].n;
    size_t n_functions = s->tables[FRAMES]->columns[FRAME_FUNCTION].n;
    return n > n_functions ? n : n_functions;
}

static void make_ids(scope *s, brz_ctx *ctx)
{
    size_t n = scope_frames(s);
    s->ids = ctx->host->alloc(ctx, n * sizeof *s->ids + 1, 0);
    for (size_t i = 0; i < n; i++)
        s->ids[i] = BRZ_NO_FRAME;
}

/* Makes room for the entries of stacks. */
static void begin_stacks(scope *s, brz_ctx *ctx)
{
    const table *t = s->tables[STACKS];
    size_t n = t->columns[STACK_FRAME].n;
    s->entries = ctx->host->alloc(ctx, n * sizeof *s->entries + 1, 0);
    if (n > 0 && t->columns[STACK_PREFIX].n == 0 && t->columns[STACK_OFFSET].n == 0)
        BRZ_WARN(ctx, "firefox.callers", NULL, 0,
                 "a table of stacks without a column of callers: each stack is one frame");
}

#define NAMES(...)                                                                                 \
    {                                                                                              \
        {__VA_ARGS__}, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)                      \
    }

static void read_part(scope *s, brz_ctx *ctx, uint32_t part)
{
    static const struct {
        const char *names[MOST_COLUMNS];
        size_t n;
    } columns[STRINGS] = {
        NAMES("prefix", "prefixOffset", "frame"),
        NAMES("location", "func", "address", "lib", "inlineDepth", "category", "line", "column",
              "implementation"),
        NAMES("name", "isJS", "resource", "fileName", "source", "lineNumber"),
        NAMES("lib", "name"),
        NAMES("filename"),
    };
    if (part == STRINGS) {
        read_strings(s, ctx);
        return;
    }
    table *t = s->tables[part] = ctx->host->alloc(ctx, sizeof *t, 0);
    table_read(t, ctx, &s->parts[part], columns[part].names, columns[part].n);
    if (part == STACKS)
        begin_stacks(s, ctx);
    if (part == FRAMES)
        make_ids(s, ctx);
}

scope *scope_part(scope *own, scope *shared, brz_ctx *ctx, uint32_t part)
{
    scope *s = own->parts[part].kind != BRZ_JSON_MORE ? own : shared;
    if ((s->read >> part & 1) == 0) {
        s->read |= UINT32_C(1) << part;
        read_part(s, ctx, part);
    }
    return s;
}
