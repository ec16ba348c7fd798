/* SPDX-License-Identifier: MIT */
/* Builds the call tree: a profile in the form that palettes and outputs use, a brz_tree. */
#ifndef BRZ_CALL_TREE_H
#define BRZ_CALL_TREE_H

#include <brazier/tree.h>

#include "profile/profile.h"
#include "profile/ranks.h"
#include "profile/tree_extras.h"

typedef struct brz_call_tree {
    brz_tree tree; /* points into the arrays below */
    brz_frame_info *frames;
    brz_stack_info *stacks;
    brz_frame *ids;
    int64_t *values;
    brz_column_info *weights;
    brz_node *nodes;
    brz_change *changes; /* per node; NULL without a comparison or signs */
    int64_t *starts;     /* per node; NULL if nodes are merged */
    int64_t *counts;     /* per node; NULL unless they were wanted and are known */
    size_t nodes_cap, changes_cap, starts_cap;
    bool has_node_pages; /* nodes have pages of their own instead of a part of `memory` */
    brz_tree_extras extras;
    brz_arena memory; /* holds the arrays whose sizes are known in advance */
} brz_call_tree;

/* The order of nodes: that of sorted stacks, merged over the whole profile, or that of samples. */
typedef enum brz_time_order {
    BRZ_TIME_MERGED, /* sorted stacks */
    BRZ_TIME_ORDER,  /* samples in input order */
    BRZ_TIME_BACK,   /* samples in reverse input order */
} brz_time_order;

typedef struct brz_call_tree_options {
    uint32_t weight;        /* column of the run */
    uint32_t frame_weight;  /* column by which calls of several frames of one name choose a frame */
    uint32_t before, after; /* columns of a comparison, or BRZ_NO_COLUMN */
    brz_order order;
    bool nodes;          /* build nodes, not only stacks */
    bool nodes_only;     /* leave out stacks, if nodes are merged */
    brz_time_order time; /* order of the nodes */
    bool counts;         /* count the samples of merged nodes, if a column has them */
    bool self_deltas;    /* sets BRZ_TREE_SELF_DELTAS */
    bool is_signed;      /* nodes weigh sizes without signs; sets BRZ_TREE_SIGNED */
    bool exact;          /* stacks are equal only if all attributes of their frames are */
    brz_which_samples samples;
} brz_call_tree_options;

/* Initialises a call tree from a profile. Its texts belong to the profile, which must outlive it.
 * Merges equal stacks. The result does not depend on the order in which the profile was filled,
 * except that single samples of the same time stay in their order. Returns true if a sum exceeded
 * its range and was clamped. */
bool brz_call_tree_init(brz_call_tree *v, brz_profile *p, const brz_call_tree_options *options);
void brz_call_tree_finish(brz_call_tree *v);

/* Makes the tree refer to the arrays of `v`, for code that fills them in itself. */
void brz_call_tree_attach(brz_call_tree *v);

#endif
