/* SPDX-License-Identifier: MIT */
/* Reads the system's clocks. */
#ifndef BRZ_CLOCK_H
#define BRZ_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Returns the time of a clock in nanoseconds. */
static inline uint64_t brz_clock_read(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Returns the time of a clock in seconds. */
static inline double brz_clock_seconds(clockid_t clock)
{
    return (double)brz_clock_read(clock) / 1e9;
}

#endif
