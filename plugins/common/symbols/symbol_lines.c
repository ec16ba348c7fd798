/* SPDX-License-Identifier: MIT */
/* Reads symbols from text. */
#include "symbol_lines.h"

#include <brazier/symbol.h>
#include <brazier/text/integer.h>
#include <brazier/text/trim.h>

bool symbol_lines_take(brz_str *text, brz_str *line)
{
    if (text->len == 0)
        return false;
    const char *end = memchr(text->data, '\n', text->len);
    size_t n = end == NULL ? text->len : (size_t)(end - text->data);
    *line = brz_str_of(text->data, n);
    n += end != NULL;
    *text = brz_str_of(text->data + n, text->len - n);
    return true;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Takes a hexadecimal number, perhaps with 0x, and the blanks after it. */
static bool take_hex(brz_str *line, uint64_t *value)
{
    brz_str rest = *line;
    brz_str_take(&rest, "0x");
    size_t len = rest.len;
    if (!brz_take_hex(&rest, value) || len - rest.len > 16 || rest.len == 0 ||
        !is_blank(rest.data[0]))
        return false;
    while (rest.len > 0 && is_blank(rest.data[0]))
        rest = brz_str_from(rest, 1);
    *line = rest;
    return true;
}

/* ---- kallsyms ------------------------------------------------------------------------------- */

bool symbol_lines_is_kept(char type)
{
    return memchr("tTwWdDbB", type, 8) != NULL;
}

bool symbol_lines_parse(brz_str line, symbol *s)
{
    *s = (symbol){.end = 0};
    if (!take_hex(&line, &s->start) || line.len < 3 || line.data[1] != ' ' ||
        !symbol_lines_is_kept(line.data[0]))
        return false;
    char type = line.data[0];
    s->flags = type == 'w' || type == 'W' ? SYMBOL_WEAK : 0;
    s->flags |= type >= 'A' && type <= 'Z' ? SYMBOL_GLOBAL : 0;
    s->name = brz_str_of(line.data + 2, line.len - 2);
    const char *tab = memchr(s->name.data, '\t', s->name.len);
    s->name.len = tab == NULL ? s->name.len : (size_t)(tab - s->name.data);
    s->name = brz_trim(s->name);
    return true;
}

bool symbol_lines_kallsyms(symbol_table *t, brz_ctx *ctx, brz_str text, brz_str name,
                           uint64_t *address)
{
    brz_str line;
    bool known = false;
    while (symbol_lines_take(&text, &line)) {
        symbol s;
        if (!symbol_lines_parse(line, &s))
            continue;
        if (name.len > 0 && brz_str_equal(s.name, name))
            *address = s.start;
        known |= s.start != 0;
        symbol_table_add(t, ctx, s);
    }
    return known;
}

/* ---- maps of compilers ---------------------------------------------------------------------- */

void symbol_lines_map(symbol_table *t, brz_ctx *ctx, brz_str text)
{
    brz_str line;
    while (symbol_lines_take(&text, &line)) {
        symbol s = {.flags = SYMBOL_SIZED};
        uint64_t size;
        if (!take_hex(&line, &s.start) || !take_hex(&line, &size) || brz_trim(line).len == 0)
            continue;
        s.end = s.start + size < s.start ? UINT64_MAX : s.start + size;
        s.name = brz_trim_end(line);
        symbol_table_add(t, ctx, s);
    }
    symbol_table_finish_in_order(t, ctx);
}
