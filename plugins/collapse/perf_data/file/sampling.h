/* SPDX-License-Identifier: MIT */
/* Counts samples, and judges whether they are enough, at the right times, and have whole stacks. */
#ifndef PERF_DATA_SAMPLING_H
#define PERF_DATA_SAMPLING_H

#include "events.h"
#include "sample.h"

/* Numbers of parts of a millisecond, and of processors that are distinguished. */
#define SAMPLING_PARTS 16
#define SAMPLING_CPUS  256

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

/* Counts a sample. `n_user` is the number of addresses of user code in its chain. */
void sampling_add(sampling *s, brz_ctx *ctx, const event *v, const sample *of, uint64_t n_user);

/* Reports findings about the quality of the profile. */
void sampling_report(const sampling *s, const events *e, brz_ctx *ctx);

#endif
