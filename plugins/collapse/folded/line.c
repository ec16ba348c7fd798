/* SPDX-License-Identifier: MIT */
/* Parses lines of folded text, starting at their end. */
#include "line.h"

#include <brazier/symbol.h>
#include <brazier/text/find.h>
#include <brazier/text/integer.h>
#include <brazier/text/trim.h>

/* Returns true if a trimmed line consists of a count alone. */
static bool is_count(brz_str line)
{
    for (size_t i = 0; i < line.len; i++)
        if (!brz_is_digit(line.data[i]))
            return false;
    return true;
}

brz_str folded_line_trim(brz_str line)
{
    if (line.len > 0 && (unsigned char)line.data[0] > ' ' && (line.data[0] & 0x80) == 0 &&
        brz_is_digit(line.data[line.len - 1]))
        return line;
    brz_str trimmed = brz_trim(line);
    bool has_blank_frame = trimmed.len > 0 && (trimmed.data[0] == ';' || is_count(trimmed));
    return has_blank_frame ? brz_trim_end(line) : trimmed;
}

bool folded_line_is_comment(brz_str line)
{
    return line.data[0] == '#' && (line.len == 1 || line.data[1] == ' ');
}

bool folded_line_weight(brz_str line, folded_weight *weight)
{
    brz_str start = BRZ_STR("# weight: ");
    if (!brz_starts_with(line, start))
        return false;
    brz_str name = brz_trim(brz_str_of(line.data + start.len, line.len - start.len));
    *weight = (folded_weight){.name = name, .unit = BRZ_STR("")};
    const char *open = brz_rfind(name, '(');
    if (open == NULL || name.data[name.len - 1] != ')')
        return name.len > 0;
    weight->name = brz_trim(brz_str_of(name.data, (size_t)(open - name.data)));
    weight->unit = brz_str_of(open + 1, name.len - (size_t)(open + 2 - name.data));
    return weight->name.len > 0;
}

/* ---- counts -------------------------------------------------------------------------------- */

/* Multiplies by 10^exponent. */
static bool shift(number *n, int64_t exponent)
{
    for (; exponent < 0 && n->decimals < MAX_DECIMALS; exponent++)
        n->decimals++;
    for (; exponent < 0 && n->digits != 0; exponent++)
        n->digits /= 10;
    for (; exponent > 0 && n->decimals > 0; exponent--)
        n->decimals--;
    for (; exponent > 0 && n->digits != 0; exponent--)
        if (__builtin_mul_overflow(n->digits, 10, &n->digits))
            return false;
    return true;
}

/* Parses an exponent such as "e+05" from s[at] on; limits excessive exponents to large ones. */
static bool parse_exponent(brz_str s, size_t at, int64_t *exponent)
{
    bool negative = at + 1 < s.len && s.data[at + 1] == '-';
    bool sign = negative || (at + 1 < s.len && s.data[at + 1] == '+');
    at += sign ? 2 : 1;
    *exponent = 0;
    if (at >= s.len)
        return false;
    for (; at < s.len; at++) {
        if (!brz_is_digit(s.data[at]))
            return false;
        if (*exponent < 10000)
            *exponent = 10 * *exponent + (s.data[at] - '0');
    }
    *exponent = negative ? -*exponent : *exponent;
    return true;
}

static bool add_digit(number *n, char c, bool after_point)
{
    if (after_point && n->decimals == MAX_DECIMALS)
        return true;
    n->decimals += after_point;
    return !__builtin_mul_overflow(n->digits, 10, &n->digits) &&
           !__builtin_add_overflow(n->digits, c - '0', &n->digits);
}

static bool parse_number(brz_str s, number *n)
{
    bool point = false, digit = false, is_negative = s.len > 0 && s.data[0] == '-';
    int64_t exponent = 0;
    *n = (number){0, 0};
    for (size_t i = is_negative; i < s.len; i++) {
        char c = s.data[i];
        if (digit && (c == 'e' || c == 'E')) {
            if (!parse_exponent(s, i, &exponent))
                return false;
            break;
        }
        if (c == '.' && !point) {
            point = true;
            continue;
        }
        if (!brz_is_digit(c) || !add_digit(n, c, point))
            return false;
        digit = true;
    }
    if (!digit || !shift(n, exponent))
        return false;
    while (n->decimals > 0 && n->digits % 10 == 0) {
        n->digits /= 10;
        n->decimals--;
    }
    n->digits = is_negative ? -n->digits : n->digits;
    return true;
}

/* Parses a count that consists of up to 18 digits, which cannot overflow. */
static inline bool take_digits(brz_str *s, number *n)
{
    size_t i = s->len, least = s->len > 18 ? s->len - 18 : 0;
    int64_t value = 0, power = 1;
    for (; i > least && brz_is_digit(s->data[i - 1]); i--, power *= 10)
        value += (s->data[i - 1] - '0') * power;
    if (i < 2 || i == s->len || s->data[i - 1] != ' ' || brz_is_blank(s->data[i - 2]))
        return false;
    *n = (number){value, 0};
    s->len = i - 1;
    return true;
}

/* Removes a count and the spaces before it from the end of `s`; a last frame that consists of
 * spaces keeps them, but for the one that separates it from the count. */
static bool take_count(brz_str *s, number *n)
{
    if (take_digits(s, n))
        return true;
    size_t i = s->len;
    while (i > 0 && !brz_is_blank(s->data[i - 1]))
        i--;
    if (i == 0 || !parse_number(brz_str_of(s->data + i, s->len - i), n))
        return false;
    size_t separator = i - 1;
    while (i > 0 && brz_is_blank(s->data[i - 1]))
        i--;
    s->len = i == 0 || s->data[i - 1] == ';' ? separator : i;
    return true;
}

bool folded_line_parse(brz_str line, bool two, folded_line *out)
{
    out->stack = line;
    out->n_counts = 0;
    if (!take_count(&out->stack, &out->counts[0]))
        return false;
    out->n_counts = 1;
    if (two && take_count(&out->stack, &out->counts[1]))
        out->n_counts = 2;
    return true;
}

bool folded_line_count(brz_str line, number *count)
{
    return parse_number(line, count);
}
