/* SPDX-License-Identifier: MIT */
/* Adds the parts of a tree other than nodes and stacks: samples, tags, metadata and parts. */
#ifndef BRZ_TREE_EXTRAS_H
#define BRZ_TREE_EXTRAS_H

#include <brazier/tree.h>

#include "profile/profile.h"

typedef struct brz_tree_extras {
    brz_tag_info *tags;
    brz_sample_info *samples;
    int64_t *values; /* by sample and weight */
    size_t n_tags, n_samples;
    bool in_time; /* samples are single ones */
    brz_metadata metadata;
    brz_part_info *parts;
    uint32_t n_parts;
    brz_arena memory; /* holds tags and lists */
} brz_tree_extras;

/* Initialises the extras and makes them part of `tree`, which refers to them. `places` maps stacks
 * of the profile to those of the tree; NULL is allowed if `which` is BRZ_SAMPLES_NONE. The texts
 * belong to the profile. */
void brz_tree_extras_init(brz_tree_extras *v, brz_profile *p, const uint32_t *places,
                          brz_which_samples which, brz_tree *tree);
void brz_tree_extras_finish(brz_tree_extras *v);

#endif
