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

/* Does the same for a zeroed sample of a plain event, whose body has `n` bytes. */
static inline bool sample_read_plain(sample *s, const event *v, const uint8_t *body, size_t n,
                                     uint32_t order)
{
    const uint8_t *head = body + v->ip_at, *chain = body + v->chain_at;
    if (n < v->chain_at + sizeof(uint64_t))
        return false;
    s->ip = word_u64(head, order);
    s->pid = word_u32(head + 8, order);
    s->tid = word_u32(head + 12, order);
    s->time = word_u64(head + 16, order);
    s->cpu = v->cpu_at > 0 ? word_u32(body + v->cpu_at, order) : 0;
    s->period = v->period_at > 0       ? word_u64(body + v->period_at, order)
                : v->flags & ATTR_FREQ ? 1
                                       : v->sample_period;
    s->chain = chain + 8;
    s->n_chain = word_u64(chain, order);
    return s->n_chain <= (n - v->chain_at - 8) / 8;
}

/* The value of a counter. */
typedef struct sample_count {
    uint64_t value, id;
} sample_count;

/* Returns the i-th value of a sample's counters. */
sample_count sample_count_at(const sample *s, const event *v, uint64_t i, uint32_t order);

#endif
