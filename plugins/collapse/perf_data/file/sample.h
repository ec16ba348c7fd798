/* SPDX-License-Identifier: MIT */
/* Decodes samples. */
#ifndef PERF_DATA_SAMPLE_H
#define PERF_DATA_SAMPLE_H

#include "events.h"

/* Number of words of a branch. */
#define BRANCH_WORDS 3

typedef struct sample {
    uint64_t ip, time, period;
    uint32_t pid, tid, cpu;
    const uint8_t *chain; /* words of the call chain, in the byte order of the recording */
    uint64_t n_chain;
    const uint8_t *raw; /* payload of a tracepoint */
    uint64_t raw_size;
    const uint8_t *branches; /* BRANCH_WORDS words each: from, to, flags; the latest one first */
    uint64_t n_branches;
    const uint8_t *counts; /* values of the counters of a group, with their ids; NULL: none */
    uint64_t n_counts;
    const uint8_t *registers; /* user registers; NULL: none */
    uint64_t abi;
    const uint8_t *stack; /* bytes above the user stack pointer; NULL: none */
    uint64_t stack_size;
    bool is_stack_short; /* the kernel could not copy all that was requested */
} sample;

/* Decodes the body of a sample. Returns false if it is damaged. */
bool sample_read(sample *s, const event *v, brz_bytes b);

/* The value of a counter. */
typedef struct sample_count {
    uint64_t value, id;
} sample_count;

/* Returns the i-th value of a sample's counters. */
sample_count sample_count_at(const sample *s, const event *v, uint64_t i, uint32_t order);

#endif
