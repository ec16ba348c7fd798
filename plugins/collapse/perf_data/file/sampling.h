/* SPDX-License-Identifier: MIT */
/* Counts samples, and judges whether they are enough, at the right times, and have whole stacks. */
#ifndef PERF_DATA_SAMPLING_H
#define PERF_DATA_SAMPLING_H

#include "events.h"

/* Numbers of parts of a millisecond, and of processors that are distinguished. */
#define SAMPLING_PARTS 16
#define SAMPLING_CPUS  256

/* Nanoseconds of a millisecond. */
#define SAMPLING_PERIOD UINT64_C(1000000)

/* Number of addresses that the kernel records by default. */
#define SAMPLING_DEEPEST 127

typedef struct sampling {
    uint64_t n;          /* samples */
    uint64_t n_chains;   /* those with a call chain or a copy of the stack */
    uint64_t n_user;     /* those with user code in the call chain */
    uint64_t n_single;   /* those with one address of user code in it */
    uint64_t n_unmapped; /* those with a caller where nothing is mapped */
    uint64_t n_deepest;  /* those with as many addresses as the kernel records */
    bool is_unmapped;    /* the current chain has such a caller */
    uint32_t *phases;    /* samples by processor and part of a millisecond; NULL: none yet */
} sampling;

/* Returns the counts of samples by processor and part of a millisecond. */
uint32_t *sampling_phases(sampling *s, brz_ctx *ctx);

/* Tells when and where a sample was taken. */
typedef struct moment {
    uint64_t time;
    uint32_t cpu;
} moment;

/* Counts a sample. `n_user` is the number of addresses of user code in its chain. */
static inline void sampling_add(sampling *s, brz_ctx *ctx, const event *v, const moment *at,
                                uint64_t n_user)
{
    s->n++;
    s->n_chains += (v->sample_type & (SAMPLE_CALLCHAIN | SAMPLE_STACK_USER)) != 0;
    s->n_user += n_user > 0;
    s->n_single += n_user == 1;
    s->n_unmapped += s->is_unmapped;
    s->n_deepest += n_user >= SAMPLING_DEEPEST;
    if (!(v->sample_type & SAMPLE_TIME) || v->type == TYPE_TRACEPOINT)
        return;
    uint32_t *phases = s->phases != NULL ? s->phases : sampling_phases(s, ctx);
    uint64_t part = at->time % SAMPLING_PERIOD * SAMPLING_PARTS / SAMPLING_PERIOD;
    phases[(size_t)(at->cpu % SAMPLING_CPUS) * SAMPLING_PARTS + part]++;
}

/* Reports findings about the quality of the profile. */
void sampling_report(const sampling *s, const events *e, brz_ctx *ctx);

#endif
