/* SPDX-License-Identifier: MIT */
/* The stacks of a profile as a table: each path leads from a root to a frame, and refers to that of
 * the caller. Unlike calls, paths are distinct if any attribute of their frames is.
 *
 * The output sets BRZ_OUTPUT_STACKS and BRZ_OUTPUT_FRAMES.
 */
#ifndef OUTPUT_COMMON_PATHS_H
#define OUTPUT_COMMON_PATHS_H

#include "keys.h"

typedef struct paths {
    keys items;         /* (path of the caller, from 1, or 0; frame), callers first */
    uint32_t *of_stack; /* by stack: its path, from 1; 0: no frames */
    int64_t *self;      /* at [path * n_weights + w], where path 0 has no frames */
    uint32_t n_weights;
} paths;

/* The stacks that become paths. */
typedef enum paths_which {
    PATHS_OF_ALL,   /* all stacks */
    PATHS_OF_SHOWN, /* those with a value in the run's weight, or in a weight of its comparison */
} paths_which;

/* Builds the paths of `tree`. The memory belongs to the plug-in instance. Sums saturate at the
 * limits of int64_t. */
void paths_init(paths *p, brz_output_ctx *ctx, const brz_tree *tree, paths_which which);

/* Does the same with other numbers of the frames: `numbers` has one for each, and frames with the
 * same number are one. */
void paths_init_numbered(paths *p, brz_output_ctx *ctx, const brz_tree *tree, paths_which which,
                         const uint32_t *numbers);

/* Returns the frame of a path, which counts from 0. */
static inline uint32_t path_frame(const paths *p, uint32_t i)
{
    return key_second(p->items.items[i]);
}

/* Returns the number of the caller's path, from 1. Returns 0 for a root. */
static inline uint32_t path_caller(const paths *p, uint32_t i)
{
    return key_first(p->items.items[i]);
}

/* Returns the weight of the path itself, which counts from 1. */
static inline int64_t path_self(const paths *p, uint32_t path, uint32_t weight)
{
    return p->self[(size_t)path * p->n_weights + weight];
}

#endif
