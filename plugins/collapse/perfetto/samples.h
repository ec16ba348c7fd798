/* SPDX-License-Identifier: MIT */
/* Counts samples of stacks: those of Linux's counters, of Chrome's profiler, and of others. */
#ifndef PERFETTO_SAMPLES_H
#define PERFETTO_SAMPLES_H

#include "clocks.h"
#include "counters.h"
#include "frames.h"
#include "tasks.h"

#define MOST_COUNTERS  200
#define MOST_FOLLOWERS 16 /* counters that are read with another one */

/* A counter that samples read. */
typedef struct counter {
    counter_name name;
    uint32_t column; /* of the host */
} counter;

/* The counters of a sequence: the one that causes the samples, and those read with it. */
typedef struct sampling {
    size_t of[1 + MOST_FOLLOWERS]; /* indices */
    size_t n;
} sampling;

/* The last values of the counters of a processor. */
typedef struct last_values {
    uint64_t of[1 + MOST_FOLLOWERS];
    bool is_known;
} last_values;

typedef struct samples {
    brz_ctx *ctx;
    sequences *sequences;
    clocks *clocks;
    tasks *tasks;
    frames *frames;
    bool is_declared;
    counter counters[MOST_COUNTERS];
    size_t n_counters;
    sampling *samplings;
    size_t n_samplings, samplings_cap;
    last_values *last;
    size_t n_last, last_cap;
    pair_map by_processor; /* of sequence and processor */
    uint32_t column;       /* of the number of samples */
    brz_count *batch;
    size_t n_batch;
    uint64_t skipped, dropped, incomplete, unnamed;
} samples;

void samples_init(samples *s, brz_ctx *ctx, sequences *q, clocks *c, tasks *t, frames *f);

/* Counts the sample or samples of a packet, which was taken at a time. */
brz_rc samples_take(samples *s, sequence *of, const packet *p, int64_t time);

/* Adds a count to the batch, and sends it if it is full. */
brz_rc samples_add(samples *s, const brz_count *count);

/* Sends what is left, and reports what is missing. */
brz_rc samples_finish(samples *s);

#endif
