/* SPDX-License-Identifier: MIT */
/* Counts the allocations of heap profiles.
 *
 * A profile of several packets ends with one that says so. The numbers of a stack are totals since
 * the recording began: of several profiles of a process and heap, the last one counts that has the
 * stack.
 */
#ifndef PERFETTO_HEAP_H
#define PERFETTO_HEAP_H

#include <brazier/text/buffer.h>
#include <brazier/text/frame_cache.h>

#include "samples.h"

typedef enum heap_value {
    HEAP_ALLOCATED,
    HEAP_FREED,
    HEAP_ALLOCATIONS,
    HEAP_FREES,
    HEAP_MOST,
    HEAP_MOST_COUNT,
    HEAP_VALUES
} heap_value;

/* The totals of a stack. */
typedef struct heap_sample {
    uint64_t callstack;
    uint32_t heap; /* index */
    uint64_t of[HEAP_VALUES];
    const char *at;
} heap_sample;

/* A process and a heap of it. */
typedef struct heap_of {
    int64_t process;
    brz_str name;
    bool frees;    /* the profiler notices when memory is freed */
    uint64_t time; /* of its last profile */
} heap_of;

/* The samples of a sequence until its profile ends. */
typedef struct pending {
    heap_sample *items;
    size_t n, cap;
    uint64_t next; /* number of the next packet */
    bool has_next;
    size_t sequence; /* index */
    const char *at;  /* of its last packet */
} pending;

/* The totals of a stack in the last profile that has it. */
typedef struct heap_total {
    brz_stack stack;
    uint32_t heap, profile;
    uint64_t of[HEAP_VALUES];
} heap_total;

typedef struct heaps {
    brz_ctx *ctx;
    sequences *sequences;
    frames *frames;
    samples *samples; /* sends counts */
    tasks *tasks;
    brz_frame_cache keys;
    brz_text key;
    heap_of *heaps;
    size_t n_heaps, heaps_cap;
    pending *pending;
    size_t n_pending, pending_cap;
    pair_map by_sequence;
    heap_total *totals;
    size_t n_totals, totals_cap;
    pair_map by_stack; /* of heap and stack */
    uint32_t profiles;
    bool has_most, has_allocations, has_frees;
} heaps;

void heaps_init(heaps *h, brz_ctx *ctx, sequences *q, frames *f, samples *s, tasks *t);

/* Takes a packet of a heap profile. */
brz_rc heaps_take(heaps *h, sequence *of, const packet *p);

/* Counts the allocations. `is_default`: their first weight is shown unless the user names another
 * one. */
brz_rc heaps_finish(heaps *h, bool is_default);

#endif
