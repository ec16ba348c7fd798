/* Adds numbers of damaged files, which may be as high as numbers can be. */
#ifndef SYMBOLS_CAPPED_SUM_H
#define SYMBOLS_CAPPED_SUM_H

#include <stdint.h>

/* Returns a sum, or the highest number if that is higher. */
static inline uint64_t capped_sum(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

#endif
