/* SPDX-License-Identifier: MIT */
/* Reads the call tree that brazier writes into its pictures for their script. */
#ifndef PICTURE_OWN_TREE_H
#define PICTURE_OWN_TREE_H

#include "markup.h"

typedef struct own_tree {
    brz_ctx *ctx;
    brz_stacks *stacks; /* root first */
    bool is_found;      /* the picture states what its script needs to know */
    bool has_counts, has_changes, is_signed, is_timed;
    uint32_t weight, samples; /* columns */
    brz_text records, names;  /* the contents of the elements, joined */
    int64_t whole;            /* weight of the whole; below 0: unknown */
    const char *at;           /* the first of them */
} own_tree;

void own_tree_init(own_tree *t, brz_ctx *ctx, brz_stacks *stacks);

/* Reads the element <svg> that a markup has come to: it may state the weight of the whole. */
void own_tree_read_whole(own_tree *t, const markup *m);

/* Reads the element <metadata> that a markup has come to. */
void own_tree_read(own_tree *t, markup *m);

/* Counts the stacks when all elements are read. */
brz_rc own_tree_count(own_tree *t);

#endif
