/** @file
 * Parses integers.
 */
#ifndef BRAZIER_TEXT_INTEGER_H
#define BRAZIER_TEXT_INTEGER_H

#include <brazier/base.h>

/** Parses a text of one or more decimal digits into *to. Returns false, without changing *to, if
 * the text has other characters or the number does not fit. */
static inline bool brz_parse_u64(brz_str s, uint64_t *to)
{
    uint64_t n = 0;
    for (size_t i = 0; i < s.len; i++)
        if (s.data[i] < '0' || s.data[i] > '9' || __builtin_mul_overflow(n, UINT64_C(10), &n) ||
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

#endif
