/* SPDX-License-Identifier: MIT */
/* Adds numbers of files that may be damaged, without wrapping around. */
#ifndef SYMBOLS_CAPPED_SUM_H
#define SYMBOLS_CAPPED_SUM_H

#include <stdint.h>

/* Returns the sum, or UINT64_MAX if it is higher. */
static inline uint64_t capped_sum(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

#endif
