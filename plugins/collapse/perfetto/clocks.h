/* SPDX-License-Identifier: MIT */
/* Converts times of the clocks of a trace to nanoseconds of one of them, from snapshots that state
 * what the clocks read at a moment. */
#ifndef PERFETTO_CLOCKS_H
#define PERFETTO_CLOCKS_H

#include "../../common/pair_map.h"
#include "packets.h"

/* Clocks that all sequences share; others belong to a sequence. */
enum { CLOCK_OF_DATE = 1, CLOCK_MONOTONIC = 3, CLOCK_BOOT = 6, CLOCKS_OF_SEQUENCE = 64 };

typedef struct clock_state {
    int64_t ahead; /* of the common clock, in nanoseconds */
    int64_t last;  /* of one that counts differences: its last time, in nanoseconds */
    uint32_t unit; /* in nanoseconds */
    bool is_difference;
} clock_state;

typedef struct clocks {
    brz_ctx *ctx;
    pair_map by_id; /* of sequence and clock */
    clock_state *items;
    size_t n, cap;
    uint32_t primary; /* the clock of packets that name none */
    bool has_date;
    int64_t date, moment; /* nanoseconds since 1970, and the same moment on the common clock */
} clocks;

void clocks_init(clocks *c, brz_ctx *ctx);

/* Takes a snapshot, which a sequence wrote. */
void clocks_take(clocks *c, uint32_t sequence, brz_bytes message);

/* Converts the time of a clock; 0 is the primary one. A clock of which no snapshot is known counts
 * like the common one. Times of one that counts differences must be converted in order. */
int64_t clocks_convert(clocks *c, uint32_t sequence, uint32_t clock, uint64_t time);

#endif
