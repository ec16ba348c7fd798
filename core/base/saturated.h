/* SPDX-License-Identifier: MIT */
/* Adds and subtracts numbers without wrapping around. */
#ifndef BRZ_SATURATED_H
#define BRZ_SATURATED_H

#include <stdbool.h>
#include <stdint.h>

/* Returns a + b. If the sum exceeds the range, returns the nearest limit and sets *saturated. */
static inline int64_t brz_add_saturated(int64_t a, int64_t b, bool *saturated)
{
    int64_t sum;
    if (!__builtin_add_overflow(a, b, &sum))
        return sum;
    *saturated = true;
    return b > 0 ? INT64_MAX : INT64_MIN;
}

/* Returns a - b, or the nearest limit if the difference exceeds the range. */
static inline int64_t brz_subtract_saturated(int64_t a, int64_t b)
{
    int64_t difference;
    if (!__builtin_sub_overflow(a, b, &difference))
        return difference;
    return a < b ? INT64_MIN : INT64_MAX;
}

/* Returns a value without its sign; stays at the limit. */
static inline int64_t brz_size_of(int64_t value)
{
    return value == INT64_MIN ? INT64_MAX : value < 0 ? -value : value;
}

#endif
