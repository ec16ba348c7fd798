/* SPDX-License-Identifier: MIT */
/* Counts the samples of V8's CPU profiles. */
#ifndef COMMON_V8_TIMELINE_H
#define COMMON_V8_TIMELINE_H

#include "../json/column.h"
#include "tree.h"

/* A part of the samples and their times: arrays as written, which may be cut off. */
typedef struct timeline_part {
    brz_str samples, times;
} timeline_part;

/* The samples of a profile, in the parts in which they were written. */
typedef struct timeline {
    timeline_part *parts;
    size_t n, cap;
    brz_json_token start; /* time at which the first delta begins */
    bool absolute;        /* times are times, of which the first may be the start; or else deltas */
    bool has_times;       /* there are enough times to measure samples; see timeline_measure() */
    size_t n_samples, n_times;
    brz_tag tag;
} timeline;

void timeline_add(timeline *t, brz_ctx *ctx, const timeline_part *part);

/* Returns whether an array, as written, has elements. */
bool timeline_has_elements(brz_ctx *ctx, brz_str array);

/* Finds out whether the samples have times. */
void timeline_measure(timeline *t, brz_ctx *ctx);

/* Counts the samples, whose nodes are those of the tree's context, in the columns of their time, in
 * microseconds, and of their number. */
brz_rc timeline_count(const timeline *t, brz_ctx *ctx, tree *nodes, column *time, uint32_t count);

#endif
