/* SPDX-License-Identifier: MIT */
/* Makes tags of the attributes of samples, their profiles and resources.
 *
 * Many samples have the same attributes. A list of attributes is a path in a tree whose root is the
 * profile; the tag of each path is made once.
 */
#ifndef OTLP_TAGS_H
#define OTLP_TAGS_H

#include "../../common/pair_map.h"
#include "frames.h"

typedef struct tag_node {
    brz_tag tag;
    bool is_made;
} tag_node;

typedef struct tags {
    brz_ctx *ctx;
    bool are_wanted;   /* otherwise, attributes are read for their warnings alone */
    brz_label *labels; /* those of the resource, the profile and the sample, in this order */
    size_t n, cap;
    pair_map children; /* by node and attribute: a node */
    tag_node *nodes;
    size_t n_nodes, nodes_cap;
    uint32_t root; /* of the profile */
    /* The sample being read. */
    uint32_t node;
    size_t n_before; /* number of labels that are not the sample's */
} tags;

void tags_init(tags *t, brz_ctx *ctx);

/* Forgets all labels after the first `n`, for the next resource or profile. */
void tags_cut(tags *t, size_t n);

/* Adds a label of a resource or profile. */
void tags_add(tags *t, const brz_label *label);

/* Starts a profile, or one of its samples. */
void tags_begin_profile(tags *t);
void tags_begin_sample(tags *t);

/* Adds an attribute of the sample, or a link, after all attributes. */
void tags_add_attribute(tags *t, attributes *a, int64_t position, const void *at);
void tags_add_link(tags *t, const tables *of, int64_t position, const void *at);

/* Finds the tag of the sample, if the run wants tags. Returns false if the budget is spent. */
bool tags_find(tags *t, frames *f, brz_tag *tag);

/* Finds the tag of the sample, which may be BRZ_NO_TAG. Returns false if the budget is spent. */
static inline bool tags_of_sample(tags *t, frames *f, brz_tag *tag)
{
    *tag = BRZ_NO_TAG;
    return !t->are_wanted || tags_find(t, f, tag);
}

#endif
