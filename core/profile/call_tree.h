/* The finished profile as palettes and outputs see it: a brz_tree made from a profile. */
#ifndef BRZ_CALL_TREE_H
#define BRZ_CALL_TREE_H

#include <brazier/tree.h>

#include "profile/profile.h"
#include "profile/ranks.h"

typedef struct brz_call_tree {
    brz_tree tree; /* points into the rest */
    brz_frame_info *frames;
    brz_stack_info *stacks;
    brz_frame *ids;
    int64_t *values;
    brz_weight_info *weights;
    brz_node *nodes;
    brz_change *changes; /* by node; NULL if nothing is compared */
    int64_t *starts;     /* by node; NULL if nodes are merged over time */
    size_t nodes_cap, changes_cap, starts_cap;
    brz_arena memory; /* of the arrays whose sizes are known beforehand */
} brz_call_tree;

/* Whether nodes follow the samples of the profile instead of its sorted stacks. */
typedef enum brz_time_order {
    BRZ_TIME_MERGED, /* no */
    BRZ_TIME_ORDER,  /* the first sample comes first */
    BRZ_TIME_BACK,   /* the last one does */
} brz_time_order;

typedef struct brz_call_tree_options {
    uint32_t weight;        /* the run's column */
    uint32_t before, after; /* the columns that are compared, or BRZ_NO_WEIGHT */
    brz_order order;
    bool nodes;          /* else stacks alone */
    brz_time_order time; /* nodes are not merged over time */
    bool self_deltas;    /* see BRZ_TREE_SELF_DELTAS */
} brz_call_tree_options;

/* Makes a view; its texts are the profile's, which must outlive it. Equal stacks become one. The
 * result does not depend on the order in which the profile was filled. Returns true if a sum had
 * to stay at the end of its range. */
bool brz_call_tree_init(brz_call_tree *v, brz_profile *p, const brz_call_tree_options *options);
void brz_call_tree_finish(brz_call_tree *v);

#endif
