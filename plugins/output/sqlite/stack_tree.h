/* SPDX-License-Identifier: MIT */
/* The stacks of a profile as rows: each is a path of frames with its sums. */
#ifndef SQLITE_STACK_TREE_H
#define SQLITE_STACK_TREE_H

#include "../common/paths.h"

typedef struct stack_tree {
    paths paths;
    int64_t *total;        /* at [path * n_weights + w], like the paths' own values */
    uint32_t *depth;       /* by path, from 1; 0: the root */
    uint8_t *is_recursive; /* by path: a caller has the same name */
} stack_tree;

/* Returns which frames some stack has, by frame. The memory belongs to the instance. */
bool *stack_tree_used(brz_output_ctx *ctx, const brz_tree *tree);

/* Builds the rows. `numbers` has a number for each frame; frames with the same are one. The memory
 * belongs to the plug-in instance. */
void stack_tree_init(stack_tree *t, brz_output_ctx *ctx, const brz_tree *tree,
                     const uint32_t *numbers);

#endif
