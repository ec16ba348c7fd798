/* SPDX-License-Identifier: MIT */
/* Parses titles of frames. Tools differ in the separators of numbers, in the unit, and in whether
 * the share comes before or after the count. */
#include "title.h"

#include <brazier/symbol.h>
#include <brazier/text.h>

#define MOST_DIGITS 17

/* ---- numbers --------------------------------------------------------------------------------- */

/* Returns the length of a separator of thousands at the beginning of a text, or 0. */
static size_t separator(brz_str s, bool comma_is_point)
{
    static const char *const separators[] = {
        " ", "'", "_", "\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x89", "\xe2\x80\x99"};
    if (brz_starts_with(s, comma_is_point ? BRZ_STR(".") : BRZ_STR(",")))
        return 1;
    for (size_t i = 0; i < BRZ_COUNT_OF(separators); i++)
        if (brz_starts_with(s, brz_str_of_text(separators[i])))
            return strlen(separators[i]);
    return 0;
}

/* Returns whether a text begins with exactly three digits. */
static bool is_group(brz_str s)
{
    size_t n = 0;
    while (n < s.len && n < 4 && brz_is_digit(s.data[n]))
        n++;
    return n == 3;
}

static brz_str after(brz_str s, size_t n)
{
    return brz_str_of(s.data + n, s.len - n);
}

/* Takes digits, and adds them to a count. Returns false if there are too many. */
static bool take_digits(brz_str *s, title *t, uint32_t *n)
{
    for (; s->len > 0 && brz_is_digit(s->data[0]); ++*n, *s = after(*s, 1)) {
        if (*n >= MOST_DIGITS)
            return false;
        t->count = 10 * t->count + (s->data[0] - '0');
    }
    return true;
}

/* Takes the fraction after a decimal point. Digits beyond the last decimal are dropped. */
static void take_fraction(brz_str *s, title *t, uint32_t n)
{
    for (; s->len > 0 && brz_is_digit(s->data[0]); *s = after(*s, 1)) {
        if (t->decimals >= TITLE_DECIMALS || n + t->decimals >= MOST_DIGITS)
            continue;
        t->count = 10 * t->count + (s->data[0] - '0');
        t->decimals++;
    }
}

/* Takes a number with separators of thousands. Returns false if the text begins with something
 * else. */
static bool take_number(brz_str *s, bool comma_is_point, title *t)
{
    uint32_t n = 0;
    bool negative = brz_starts_with(*s, BRZ_STR("-"));
    size_t skipped;
    *s = after(*s, negative);
    t->count = 0;
    t->decimals = 0;
    if (!take_digits(s, t, &n) || n == 0)
        return false;
    while ((skipped = separator(*s, comma_is_point)) > 0 && is_group(after(*s, skipped))) {
        *s = after(*s, skipped);
        if (!take_digits(s, t, &n))
            return false;
    }
    char point = comma_is_point ? ',' : '.';
    if (s->len > 1 && s->data[0] == point && brz_is_digit(s->data[1])) {
        *s = after(*s, 1);
        take_fraction(s, t, n);
    }
    t->count = negative ? -t->count : t->count;
    return true;
}

/* ---- groups in parentheses ------------------------------------------------------------------- */

/* Returns whether a comma is the decimal point of the percentage in a text: "12,3%". */
static bool has_decimal_comma(brz_str s)
{
    size_t at = brz_str_find(s, BRZ_STR("%"), 0);
    if (at == SIZE_MAX)
        return false;
    while (at > 0 && (!brz_is_digit(s.data[at - 1])))
        at--;
    while (at > 0 && brz_is_digit(s.data[at - 1]))
        at--;
    return at > 1 && s.data[at - 1] == ',' && brz_is_digit(s.data[at - 2]);
}

/* Reads one of the parts: a percentage, or a count with its unit. */
static void read_part(brz_str part, bool comma_is_point, title *t)
{
    title number = {0};
    part = brz_trim(part);
    if (!take_number(&part, comma_is_point, &number))
        return;
    part = brz_trim(part);
    if (brz_str_is(part, "%")) {
        t->percent = (double)number.count / (double)brz_power_of_ten(number.decimals);
        return;
    }
    if (part.len == 0 || brz_str_has(part, BRZ_STR("%")))
        return;
    size_t in = brz_str_find(part, BRZ_STR(" in "), 0);
    t->unit = in == SIZE_MAX ? part : brz_str_of(part.data, in);
    t->count = number.count;
    t->decimals = number.decimals;
    t->has_count = true;
    t->percent_first = t->percent >= 0;
}

/* Reads what the parentheses contain. Parts are divided by a comma and a blank. */
static void read_group(brz_str inner, title *t)
{
    brz_str change = {0};
    bool comma_is_point = has_decimal_comma(inner);
    if (brz_cut_first(inner, ';', &inner, &change))
        t->is_comparison = brz_str_has(change, BRZ_STR("%"));
    for (size_t at; (at = brz_str_find(inner, BRZ_STR(", "), 0)) != SIZE_MAX;) {
        read_part(brz_str_of(inner.data, at), comma_is_point, t);
        inner = after(inner, at + 2);
    }
    read_part(inner, comma_is_point, t);
}

/* Returns whether parentheses may contain a count. */
static bool is_plausible(brz_str inner)
{
    return brz_str_has(inner, BRZ_STR("%")) || brz_ends_with(inner, BRZ_STR("samples")) ||
           brz_ends_with(inner, BRZ_STR(" sample"));
}

void title_parse(brz_str text, title *t)
{
    text = brz_trim(text);
    *t = (title){.name = text, .percent = -1};
    if (!brz_ends_with(text, BRZ_STR(")")))
        return;
    size_t at = text.len - 1;
    while (at > 0 && text.data[at - 1] != '(')
        at--;
    if (at == 0)
        return;
    brz_str inner = brz_str_of(text.data + at, text.len - 1 - at);
    if (!is_plausible(inner))
        return;
    read_group(inner, t);
    if (t->has_count || t->percent >= 0)
        t->name = brz_trim_end(brz_str_of(text.data, at - 1));
}
