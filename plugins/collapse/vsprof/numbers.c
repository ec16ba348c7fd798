/* SPDX-License-Identifier: MIT */
/* Parses numbers in the format of the computer's locale.
 *
 *     whole    := digits | group (separator group)*     groups of three digits, the first of 1 to 3
 *     fraction := whole [point digits]                  the point is the last separator
 *     separator, point := "," | "." | " " | "'" | no-break spaces
 *
 * Where integers are expected, "1.234" is more than a thousand. Fractions always have two digits,
 * so there is no ambiguity.
 */
#include "metrics.h"

#include "../../common/table/decimal.h"

/* Returns the length in bytes of the separator at the front of s, or 0. */
static size_t separator_at(brz_str s)
{
    const unsigned char *p = (const unsigned char *)s.data;
    if (s.len == 0)
        return 0;
    if (p[0] == ',' || p[0] == '.' || p[0] == ' ' || p[0] == '\'')
        return 1;
    if (s.len >= 2 && p[0] == 0xc2 && p[1] == 0xa0)
        return 2; /* U+00A0 */
    return s.len >= 3 && p[0] == 0xe2 && p[1] == 0x80 && (p[2] == 0xaf || p[2] == 0x99) ? 3 : 0;
}

static size_t digits_at(brz_str s)
{
    size_t n = 0;
    while (n < s.len && brz_is_digit(s.data[n]))
        n++;
    return n;
}

static bool add_digits(int64_t *value, brz_str s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (__builtin_mul_overflow(*value, 10, value) ||
            __builtin_add_overflow(*value, s.data[i] - '0', value))
            return false;
    return true;
}

/* Removes an integer from the front: digits, followed by groups of three digits with the same
 * separator. */
static bool take_whole(brz_str *s, int64_t *value)
{
    size_t n = digits_at(*s), first = n;
    char separator = '\0';
    *value = 0;
    if (n == 0 || !add_digits(value, *s, n))
        return false;
    *s = brz_str_from(*s, n);
    for (;;) {
        size_t width = separator_at(*s);
        brz_str group = width > 0 ? brz_str_from(*s, width) : *s;
        if (width == 0 || first > 3 || digits_at(group) != 3 ||
            (separator != '\0' && s->data[0] != separator))
            return true;
        separator = s->data[0];
        if (!add_digits(value, group, 3))
            return false;
        *s = brz_str_from(group, 3);
    }
}

bool number_whole(brz_str text, int64_t *value)
{
    return take_whole(&text, value) && text.len == 0;
}

static bool number_fraction(brz_str text, int32_t decimals, int64_t *value)
{
    decimal d = {0, 0};
    if (!take_whole(&text, &d.digits))
        return false;
    if (text.len > 1 && (text.data[0] == '.' || text.data[0] == ',')) {
        text = brz_str_from(text, 1);
        size_t n = digits_at(text);
        if (n > 9 || !add_digits(&d.digits, text, n))
            return false;
        d.decimals = (int32_t)n;
        text = brz_str_from(text, n);
    }
    return text.len == 0 && decimal_scale(&d, decimals, value);
}

bool number_parse(const vsprof_metric *m, brz_str text, int64_t *value)
{
    int32_t decimals = (int32_t)metric_decimals(m);
    return decimals == 0 ? number_whole(text, value) : number_fraction(text, decimals, value);
}
