/* SPDX-License-Identifier: MIT */
/* Remembers the values of counters, which only grow.
 *
 * The samples of a group (`-e '{cycles,instructions}:S'`) have the values of all its counters: a
 * sample counts how much they have grown since the previous sample.
 */
#ifndef PERF_DATA_COUNTERS_H
#define PERF_DATA_COUNTERS_H

#include "../../../common/pair_map.h"

/* The threads that share a counter and its values. */
enum counter_scope {
    COUNTS_OF_ALL,     /* all threads */
    COUNTS_OF_THREADS, /* none: each thread has its own values */
    COUNTS_UNKNOWN     /* all threads, unless the values show that each has its own */
};

typedef struct counters {
    pair_map known;   /* (id, thread or ALL_THREADS) to a position in `values` */
    uint64_t *values; /* the last ones */
    size_t n, cap;
} counters;

void counters_init(counters *c, brz_ctx *ctx);

/* Returns how much a counter has grown since its last value, and keeps the new one. A counter that
 * shrinks began again from 0. An unknown scope is found out by a value below that of another
 * thread. */
uint64_t counters_advance(counters *c, brz_ctx *ctx, uint64_t id, uint32_t tid, uint64_t value,
                          enum counter_scope *scope);

#endif
