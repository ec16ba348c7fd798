/* SPDX-License-Identifier: MIT */
/* Parses times, sizes and numbers in traces. Every line has several of them, so the functions are
 * inline. */
#ifndef XDEBUG_NUMBERS_H
#define XDEBUG_NUMBERS_H

#include <brazier/base.h>

/* Number of decimal digits that always fit into 64 bits. */
#define SAFE_DIGITS 19

/* Parses at most SAFE_DIGITS digits. Returns false if there are other characters. */
static inline bool parse_digits(const char *p, size_t n, uint64_t *number)
{
    uint64_t v = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned digit = (unsigned)(p[i] - '0');
        if (digit > 9)
            return false;
        v = v * 10 + digit;
    }
    *number = v;
    return true;
}

static inline bool parse_number(brz_str s, uint64_t *number)
{
    return s.len > 0 && s.len <= SAFE_DIGITS && parse_digits(s.data, s.len, number);
}

static inline bool parse_bytes(brz_str s, int64_t *bytes)
{
    uint64_t number;
    if (!parse_number(s, &number) || number > INT64_MAX)
        return false;
    *bytes = (int64_t)number;
    return true;
}

/* Parses seconds with up to nine significant decimals: "0.000254". Some locales write a comma. A
 * number that ends with it is cut off. */
static inline bool parse_seconds(brz_str s, int64_t *nanoseconds)
{
    static const uint64_t scale[] = {1000000000, 100000000, 10000000, 1000000, 100000,
                                     10000,      1000,      100,      10,      1};
    uint64_t v = 0;
    size_t decimals = 0;
    bool point = false;
    if (s.len == 0 || s.data[0] < '0' || s.data[s.len - 1] < '0')
        return false;
    for (size_t i = 0; i < s.len; i++) {
        unsigned digit = (unsigned)(s.data[i] - '0');
        if (digit > 9 && (point || (s.data[i] != '.' && s.data[i] != ',')))
            return false;
        if (digit > 9) {
            point = true;
        } else if (decimals < 9) {
            if (v > INT64_MAX / 10 - 1)
                return false;
            v = v * 10 + digit;
            decimals += point;
        }
    }
    if (__builtin_mul_overflow(v, scale[decimals], &v) || v > INT64_MAX)
        return false;
    *nanoseconds = (int64_t)v;
    return true;
}

#endif
