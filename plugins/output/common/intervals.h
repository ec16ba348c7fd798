/* SPDX-License-Identifier: MIT */
/* Samples of a track as intervals: each one lasts as long as its value. */
#ifndef OUTPUT_COMMON_INTERVALS_H
#define OUTPUT_COMMON_INTERVALS_H

#include "tracks.h"

/* The position of a track's intervals on the time axis. */
typedef struct intervals {
    int64_t nanoseconds; /* length of a unit of the weight's values; 0: less than a nanosecond */
    int64_t start, end;  /* of the first and the last interval */
    int64_t length;      /* sum of all lengths */
    bool overlap;        /* some begin before the one before them ends */
    bool apart;          /* there are gaps between some */
    bool rootless;       /* some have a stack without frames */
    bool negative;       /* some have a negative value */
} intervals;

/* Measures the intervals of a track with times. `count_as` is that of axis_of(). Negative values
 * have no length. */
intervals intervals_of(const tracks *t, const track *of, int32_t count_as);

/* Returns the length of an interval in nanoseconds, saturated. */
int64_t intervals_length(const intervals *v, int64_t value);

/* Returns the number of frames with which both stacks begin; 0 if one is NULL. */
uint32_t intervals_shared(const brz_stack_info *a, const brz_stack_info *b);

#endif
