/* SPDX-License-Identifier: MIT */
/** @file
 * Parses integers.
 */
#ifndef BRAZIER_TEXT_INTEGER_H
#define BRAZIER_TEXT_INTEGER_H

#include <brazier/base.h>

/** Returns whether `c` is a decimal digit. */
static inline bool brz_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/** Returns 10 to the power of `n`, which is at most 18. */
static inline int64_t brz_power_of_ten(uint32_t n)
{
    int64_t power = 1;
    while (n-- > 0)
        power *= 10;
    return power;
}

/** Parses a text of one or more decimal digits into *to. Returns false, without changing *to, if
 * the text has other characters or the number does not fit. */
static inline bool brz_parse_u64(brz_str s, uint64_t *to)
{
    uint64_t n = 0;
    for (size_t i = 0; i < s.len; i++)
        if (!brz_is_digit(s.data[i]) || __builtin_mul_overflow(n, UINT64_C(10), &n) ||
            __builtin_add_overflow(n, (uint64_t)(s.data[i] - '0'), &n))
            return false;
    *to = n;
    return s.len > 0;
}

/** Parses a decimal integer with an optional leading '-', likewise. */
static inline bool brz_parse_i64(brz_str s, int64_t *to)
{
    bool negative = s.len > 0 && s.data[0] == '-';
    uint64_t n;
    if (!brz_parse_u64(negative ? brz_str_of(s.data + 1, s.len - 1) : s, &n))
        return false;
    if (n > (uint64_t)INT64_MAX + negative)
        return false;
    *to = (int64_t)(negative ? 0 - n : n);
    return true;
}

/** Parses a decimal number with an optional leading '-' and an optional fraction, likewise, as a
 * multiple of 10^-decimals: "1.25" with 3 decimals is 1250. Further digits are dropped. */
static inline bool brz_parse_scaled(brz_str s, uint32_t decimals, int64_t *to)
{
    size_t start = s.len > 0 && s.data[0] == '-', point = start, end;
    int64_t n = 0; /* the negative of the number without its sign */
    while (point < s.len && brz_is_digit(s.data[point]))
        point++;
    for (end = point + 1; end < s.len && brz_is_digit(s.data[end]);)
        end++;
    if (point == start ||
        (point < s.len && (s.data[point] != '.' || end == point + 1 || end < s.len)))
        return false;
    for (size_t i = start; i <= point + decimals; i++)
        if (i != point && (__builtin_mul_overflow(n, INT64_C(10), &n) ||
                           __builtin_sub_overflow(n, i < s.len ? s.data[i] - '0' : 0, &n)))
            return false;
    if (start == 0 && n == INT64_MIN)
        return false;
    *to = start == 0 ? -n : n;
    return true;
}

/** Removes the decimal digits from the front of a text and parses them into *to. Returns false,
 * without changing anything, if there are no digits or the number does not fit. */
static inline bool brz_take_u64(brz_str *s, uint64_t *to)
{
    uint64_t value = 0;
    size_t n = 0;
    for (; n < s->len && brz_is_digit(s->data[n]); n++)
        value = 10 * value + (uint64_t)(s->data[n] - '0');
    /* 19 digits fit into 64 bits */
    if (n == 0 || (n > 19 && !brz_parse_u64(brz_str_of(s->data, n), &value)))
        return false;
    *to = value;
    *s = brz_str_of(s->data + n, s->len - n);
    return true;
}

/** Removes hexadecimal digits of either case from the front of a text, likewise. There is no
 * prefix. */
static inline bool brz_take_hex(brz_str *s, uint64_t *to)
{
    uint64_t value = 0;
    size_t n = 0;
    for (; n < s->len; n++) {
        char c = s->data[n], lower = (char)(c | 0x20);
        bool letter = lower >= 'a' && lower <= 'f';
        if (!letter && !brz_is_digit(c))
            break;
        if (value >> 60 != 0)
            return false;
        value = value << 4 | (uint64_t)(letter ? lower - 'a' + 10 : c - '0');
    }
    if (n == 0)
        return false;
    *to = value;
    *s = brz_str_of(s->data + n, s->len - n);
    return true;
}

#endif
