/* SPDX-License-Identifier: MIT */
/* Pseudo-random numbers; a seed determines the sequence. */
#ifndef BRZ_CHECK_RANDOM_H
#define BRZ_CHECK_RANDOM_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t check_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Returns a number from 0 to n - 1, or 0 if n is 0. */
static inline size_t check_random_below(uint64_t *state, size_t n)
{
    return n == 0 ? 0 : (size_t)(check_random(state) % n);
}

#endif
