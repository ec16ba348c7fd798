/* SPDX-License-Identifier: MIT */
/* The sums of a dump that has no stacks: for each frame, the number of samples in which it was the
 * innermost one, and in how many it had called each other frame. Stacks are estimated from them. */
#ifndef STACKPROF_SUMS_H
#define STACKPROF_SUMS_H

#include "../../common/budget.h"
#include "../../common/call_graph/graph.h"
#include "../../common/json/ids.h"
#include "input.h"

#define SUMS_WEIGHTS_MAX 2

typedef struct frame_sums {
    int64_t own;          /* samples in which the frame was the innermost one */
    brz_json_token calls; /* in JSON: samples by the id of the frame that it had called */
    size_t calls_at;      /* the same in Ruby's format: offset, or 0 */
} frame_sums;

/* A dump whose frames are known. */
typedef struct sums {
    const input *in;
    const id_table *ids; /* of frames: indices into the lists below */
    const brz_frame *frames;
    const frame_sums *of;
    size_t n;
    uint64_t *budget;                   /* for calls in Ruby's format, which frames may share */
    uint32_t weights[SUMS_WEIGHTS_MAX]; /* of the host */
    int64_t factors[SUMS_WEIGHTS_MAX];  /* of a sample for each of them */
    uint32_t n_weights;
} sums;

/* Counts the estimated stacks. *counted receives the number of samples. */
brz_rc sums_count(const sums *s, brz_ctx *ctx, int64_t *counted);

#endif
