/* SPDX-License-Identifier: MIT */
/* Divides whole numbers in proportion. */
#ifndef COMMON_CALL_GRAPH_SHARE_H
#define COMMON_CALL_GRAPH_SHARE_H

#include <brazier/text/hash.h>

/* Returns value * part / whole, rounded to the nearest. `part` is at most `whole`, which is not 0
 * and below 2^63. */
static inline uint64_t share_of(uint64_t value, uint64_t part, uint64_t whole)
{
    brz_wide product = brz_wide_sum(brz_wide_product(value, part), brz_wide_product(whole / 2, 1));
    uint64_t rest = brz_wide_high(product), low = brz_wide_low(product), quotient = 0;
    if (rest == 0)
        return low / whole;
    for (int i = 0; i < 64; i++) { /* long division: `rest` is below `whole` */
        rest = rest << 1 | low >> 63;
        low <<= 1;
        quotient <<= 1;
        if (rest >= whole) {
            rest -= whole;
            quotient |= 1;
        }
    }
    return quotient;
}

/* Returns the share of a value that belongs to the part of `whole` from `from` to `to`. The shares
 * of adjacent parts add up to the value. Without a whole, the part that begins at 0 gets all of it
 * if it is the `first` one. */
static inline int64_t share_between(int64_t value, int64_t from, int64_t to, int64_t whole,
                                    bool first)
{
    if (whole <= 0)
        return first ? value : 0;
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    uint64_t share = share_of(size, (uint64_t)to, (uint64_t)whole) -
                     share_of(size, (uint64_t)from, (uint64_t)whole);
    return value < 0 ? -(int64_t)(share - 1) - 1 : (int64_t)share;
}

#endif
