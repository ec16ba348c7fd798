/* SPDX-License-Identifier: MIT */
/* Writes tables as comma-separated values (RFC 4180): a header, lines that end with CR LF, texts in
 * quotes where needed. Control characters become blanks, so a row is always one line. */
#include "rows.h"

#include <brazier/folded.h>

#include <string.h>

#include "../common/label_sets.h"

/* Returns a name without the bytes that divide a stack or a line, and with its quotes doubled. */
static brz_str frame(const rows *r, brz_str name)
{
    size_t len = 0;
    if (brz_is_foldable(name) && (name.len == 0 || memchr(name.data, '"', name.len) == NULL))
        return name;
    char *copy = r->ctx->host->alloc(r->ctx, 2 * name.len, 1);
    for (size_t i = 0; i < name.len; i++) {
        if (name.data[i] == '"')
            copy[len++] = '"';
        copy[len++] = brz_folded_byte(name.data[i]);
    }
    return brz_str_of(copy, len);
}

/* Writes what divides a column from the one before it. */
static void separate(rows *r)
{
    if (!r->first)
        brz_put_char(&r->w, ',');
    r->first = false;
}

/* Returns whether a text begins like a formula of a spreadsheet. */
static bool begins_formula(brz_str text)
{
    return text.len > 0 && memchr("=+-@", text.data[0], 4) != NULL;
}

/* Writes the apostrophe that makes a text of what a spreadsheet would take for a formula. */
static void put_guard(rows *r, brz_str text)
{
    if (!r->options->formulas && begins_formula(text))
        brz_put_char(&r->w, '\'');
}

static bool is_control(char c)
{
    return (unsigned char)c < 0x20 || c == 0x7f;
}

static bool needs_quotes(brz_str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.data[i] == '"' || text.data[i] == ',' || text.data[i] == '\'')
            return true;
    return false;
}

/* Writes a text, in quotes if it has characters with a meaning. */
static void put_cell(rows *r, brz_str text)
{
    bool quoted = needs_quotes(text);
    separate(r);
    if (quoted)
        brz_put_char(&r->w, '"');
    put_guard(r, text);
    for (size_t i = 0; i < text.len; i++) {
        char c = text.data[i];
        if (c == '"')
            brz_put_char(&r->w, c);
        if (is_control(c))
            c = ' ';
        brz_put_char(&r->w, c);
    }
    if (quoted)
        brz_put_char(&r->w, '"');
}

static void end(rows *r)
{
    BRZ_PUT(&r->w, "\r\n");
}

static void begin(rows *r)
{
    r->first = true;
}

static void header(rows *r, const brz_str *names, size_t n)
{
    if (!r->options->header)
        return;
    begin(r);
    for (size_t i = 0; i < n; i++)
        put_cell(r, names[i]);
    end(r);
}

/* Writes a stack, always in quotes: most have a comma in some name. */
static void stack(rows *r, brz_str name, const brz_stack_info *s)
{
    (void)name;
    separate(r);
    brz_put_char(&r->w, '"');
    if (s->n > 0)
        put_guard(r, r->frames[s->frames[0]]);
    for (uint32_t i = 0; i < s->n; i++) {
        if (i > 0)
            brz_put_char(&r->w, ';');
        brz_put_str(&r->w, r->frames[s->frames[i]]);
    }
    brz_put_char(&r->w, '"');
}

static void text(rows *r, brz_str name, brz_str value)
{
    (void)name;
    put_cell(r, value);
}

static void number(rows *r, brz_str name, int64_t value, uint32_t decimals)
{
    (void)name;
    separate(r);
    brz_put_scaled(&r->w, value, decimals);
}

static void absent(rows *r, brz_str name)
{
    (void)name;
    separate(r);
}

static void labels(rows *r, brz_str name, uint32_t tag)
{
    (void)name;
    if (r->labels[tag].data == NULL)
        r->labels[tag] = label_set_text(r->ctx, brz_tag_at(r->tree, tag));
    put_cell(r, r->labels[tag]);
}

const row_format rows_csv = {frame, header, begin, stack, text, number, absent, labels, end};
