/* SPDX-License-Identifier: MIT */
/* Counts the samples of a trace and the time that goroutines spend in states. */
#ifndef COLLAPSE_GO_TRACE_COUNTS_H
#define COLLAPSE_GO_TRACE_COUNTS_H

#include <brazier/text/stacks.h>

#include "events.h"
#include "tables.h"

typedef enum go_column {
    COLUMN_WAITED,
    COLUMN_SYNC,
    COLUMN_NETWORK,
    COLUMN_SYSCALL,
    COLUMN_SCHEDULER,
    COLUMN_SAMPLES,
    COLUMN_NONE,
} go_column;

/* A reason to wait. */
typedef struct reason {
    brz_str text;
    go_column column; /* to which such waits belong, or COLUMN_NONE */
} reason;

/* A goroutine in a state, or sampled. */
typedef struct moment {
    uint64_t goroutine;
    brz_str function; /* with which the goroutine began; empty: unknown */
    go_state state;   /* GO_UNSTATED: sampled */
    uint32_t reason;
    uint32_t stack; /* number in the store */
    int64_t time;   /* of its beginning */
} moment;

/* The sums of a stack of the store. */
typedef struct sums {
    int64_t of[COLUMN_NONE];
} sums;

typedef struct counts {
    brz_ctx *ctx;
    brz_stacks stacks;
    const stack_store *store;
    sums *sums; /* by stack, unless the run needs single samples */
    size_t n_sums, sums_cap;
    uint32_t columns[COLUMN_NONE];
    reason *reasons; /* those of go_reason first */
    size_t n_reasons, reasons_cap;
    brz_frame_cache by_text; /* indices of reasons */
    brz_frame_cache tags;
    brz_text key;
    uint64_t n_samples, n_intervals;
} counts;

void counts_init(counts *c, brz_ctx *ctx, const stack_store *store);

/* Returns the index of a reason. */
uint32_t counts_reason(counts *c, brz_str text);

/* Counts the time, in nanoseconds, that a goroutine is in a state. */
brz_rc counts_take(counts *c, const moment *m, int64_t time);

/* Counts a sample of the CPU profiler. */
brz_rc counts_take_sample(counts *c, const moment *m);

/* Passes the sums to the host. */
brz_rc counts_finish(counts *c);

#endif
