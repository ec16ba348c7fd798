/* SPDX-License-Identifier: MIT */
/* Parses keys and values of maps:
 *
 *     entry := "@" name "[" item (", " item)* "]: " value
 *     item  := scalar | stack
 *     stack := "" | newline (line newline)*
 *     value := integer | statistics | anything else
 *
 * A scalar may contain anything but a newline; one that contains ", " is split in two. In JSON keys
 * the separator of items is a comma without a space.
 */
#include "reader.h"

#include <brazier/symbol.h>

/* Reports a warning at the current line. Reports on JSON have no position: a map is one line of any
 * length, only part of which may be in memory, so the position would depend on the chunk. */
void report(bpftrace *b, brz_ctx *ctx, const char *code, brz_str msg)
{
    brz_str where = b->prelude->json ? brz_str_of(NULL, 0) : b->where;
    brz_report(ctx, BRZ_WARNING, code, where.data, where.len, msg);
}

/* Reports an entry that is left out and whose weight is unknown. */
void report_lost(bpftrace *b, brz_ctx *ctx, const char *code, brz_str msg)
{
    brz_str where = b->prelude->json ? brz_str_of(NULL, 0) : b->where;
    brz_report_lost(ctx, code, where.data, where.len, msg);
}

/* Reports an entry that is left out. The last word of `line` is its value, unless its line is not
 * there. The weight is known if all entries are of one map. */
void report_lost_entry(bpftrace *b, brz_ctx *ctx, const char *code, brz_str line, brz_str msg)
{
    brz_str text = brz_trim(line);
    const char *blank = text.len == 0 ? NULL : brz_rfind(text, ' ');
    int64_t value;
    if (blank != NULL)
        text = brz_str_from(text, (size_t)(blank + 1 - text.data));
    bool is_value = blank != NULL && blank > line.data && (blank[-1] == ':' || blank[-1] == ']');
    if (b->prelude->one_map && is_value && brz_parse_i64(text, &value))
        brz_report_lost_weight(ctx, code, b->where.data, b->where.len, msg, value);
    else
        report_lost(b, ctx, code, msg);
}

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Parses "@name[" at the front of a line; `rest` is the text after it. */
bool map_begins(brz_str line, brz_str *name, brz_str *rest)
{
    size_t n = 1;
    if (line.len < 2 || line.data[0] != '@')
        return false;
    while (n < line.len && is_name(line.data[n]))
        n++;
    if (n == line.len || line.data[n] != '[')
        return false;
    *name = brz_str_of(line.data + 1, n - 1);
    *rest = brz_str_of(line.data + n + 1, line.len - n - 1);
    return true;
}

/* Returns the length of the item at the front of `text`. With `blanks`, a separator is a comma
 * followed by a space, or by the end of a line whose trailing spaces are lost. */
static size_t item_length(brz_str text, bool blanks)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.data[i] == ',' && (!blanks || i + 1 == text.len || text.data[i + 1] == ' '))
            return i;
    return text.len;
}

/* Adds the items on a line. An empty item is an empty stack, or, at the end of the line, a stack
 * whose lines follow. */
void key_items(bpftrace *b, brz_ctx *ctx, brz_str text, bool blanks)
{
    for (;;) {
        size_t n = item_length(text, blanks);
        if (n == 0)
            sample_stack(b, ctx);
        else
            sample_root(b, ctx, brz_str_of(text.data, n));
        if (n == text.len)
            return;
        n += blanks && n + 1 < text.len ? 2 : 1;
        text = brz_str_of(text.data + n, text.len - n);
    }
}

static bool is_digits(brz_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.data[i] < '0' || s.data[i] > '9')
            return false;
    return s.len > 0;
}

/* Returns the total of statistics such as "count 5, average 12, total 60", since only totals can be
 * added up. */
static brz_str total_of(brz_str text)
{
    size_t at = brz_str_find(text, BRZ_STR("total "), 0);
    if (!brz_starts_with(text, BRZ_STR("count ")) || at == SIZE_MAX)
        return text;
    return brz_trim(brz_str_of(text.data + at + 6, text.len - at - 6));
}

/* Parses the value after "]:", which ends a sample. */
brz_rc value_take(bpftrace *b, brz_ctx *ctx, brz_str text)
{
    int64_t value;
    text = total_of(brz_trim(text));
    if (b->is_value_joined) {
        report_lost(b, ctx, "bpftrace.joined",
                    BRZ_STR("two lines in one: the end of the value is not known: entry left out"));
        return BRZ_OK;
    }
    if (brz_parse_i64(text, &value))
        return sample_end(b, ctx, brz_text_str(&b->map), value);
    if (is_digits(text))
        report_lost(b, ctx, "bpftrace.large-value", BRZ_STR("value is too large: entry left out"));
    else
        b->n_other_values++;
    return BRZ_OK;
}
