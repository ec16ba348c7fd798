/** @file
 * What palettes and outputs see: the finished profile as stacks and as a call tree.
 *
 * Arrays carry the size of their elements, so that elements can grow; read them through the
 * accessors here. Node 0 is the root, which stands for everything and has an empty name. Nodes are
 * in pre-order: node i's subtree is nodes i .. i + subtree - 1. Which of the two forms is there
 * depends on what the output asked for (BRZ_OUTPUT_NODES, BRZ_OUTPUT_STACKS).
 */
#ifndef BRAZIER_TREE_H
#define BRAZIER_TREE_H

#include <brazier/base.h>

/** A function, with all that is known of it; empty and 0: not known. */
typedef struct brz_frame_info {
    brz_str name;   /**< as folded lines show it: see brz_display_name() */
    brz_str module; /**< program, library or package */
    brz_str file;   /**< of the source */
    uint32_t line;  /**< in the file, from 1 */
    uint32_t kind;  /**< BRZ_KIND_OTHER and so on */
} brz_frame_info;

/** A frame of the picture: a function as called by those above it. */
typedef struct brz_node {
    uint32_t frame;   /**< for brz_frame_at() */
    uint32_t parent;  /**< the node that it was called by; of the root: 0 */
    uint32_t subtree; /**< nodes in it, itself included */
    uint32_t depth;   /**< 0 for the root */
    int64_t self;     /**< of the run's weight, what it weighs by itself */
    int64_t total;    /**< with its subtree */
} brz_node;

/** What a node weighs in the two profiles that a run compares. */
typedef struct brz_change {
    int64_t before_self;  /**< by itself, in the first one */
    int64_t before_total; /**< with its subtree, in the first one */
    int64_t after_self;   /**< by itself, in the second one */
    int64_t after_total;  /**< with its subtree, in the second one */
} brz_change;

/** A distinct stack, in the order in which folded lines are sorted. */
typedef struct brz_stack_info {
    const brz_frame *frames; /**< root first */
    uint32_t n;              /**< how many frames */
    uint32_t shared;         /**< how many frames it begins with like the stack before it */
    const int64_t *values;   /**< one per weight of the tree */
} brz_stack_info;

/** A column of the profile. */
typedef struct brz_weight_info {
    brz_str name;      /**< "samples" */
    brz_str unit;      /**< "nanoseconds" */
    uint32_t decimals; /**< values are multiples of 10^-decimals */
    uint32_t reserved; /**< 0 */
    int64_t total;     /**< of all samples */
} brz_weight_info;

/** No column at all. */
#define BRZ_NO_WEIGHT UINT32_MAX

/** brz_tree.flags: a node's difference is that of what it weighs itself, without its subtree. */
#define BRZ_TREE_SELF_DELTAS 1u
/** Nodes are in the order of the input, and only neighbours are merged: a flame chart. What a node
 * weighs itself is anywhere between its children: see brz_tree.starts. */
#define BRZ_TREE_TIME_ORDER 2u

/** The profile. */
typedef struct brz_tree {
    uint32_t struct_size;  /**< sizeof(brz_tree) in the host */
    uint32_t frame_size;   /**< bytes from one frame to the next */
    uint32_t node_size;    /**< bytes from one node to the next */
    uint32_t stack_size;   /**< bytes from one stack to the next */
    uint32_t weight_size;  /**< bytes from one weight to the next */
    uint32_t change_size;  /**< bytes from one change to the next */
    uint32_t n_frames;     /**< how many brz_frame_at() knows */
    uint32_t n_nodes;      /**< how many brz_node_at() knows, if the output asked for nodes */
    uint32_t n_stacks;     /**< how many brz_stack_at() knows, if it asked for stacks */
    uint32_t n_weights;    /**< how many brz_weight_at() knows */
    uint32_t max_depth;    /**< of the nodes */
    uint32_t weight;       /**< index of the run's weight: how wide things are */
    uint32_t before;       /**< index of the first weight that is compared, or BRZ_NO_WEIGHT */
    uint32_t after;        /**< index of the second one, or BRZ_NO_WEIGHT */
    uint32_t flags;        /**< BRZ_TREE_SELF_DELTAS, BRZ_TREE_TIME_ORDER */
    uint32_t reserved;     /**< 0 */
    const void *frames;    /**< see brz_frame_at() */
    const void *nodes;     /**< see brz_node_at() */
    const void *stacks;    /**< see brz_stack_at() */
    const void *weights;   /**< see brz_weight_at() */
    const void *changes;   /**< by node; NULL if nothing is compared */
    const int64_t *starts; /**< by node: what the input weighs before it; NULL: nodes are merged */
} brz_tree;

/** Element i of an array whose elements are `stride` bytes apart. */
static inline const void *brz_at(const void *base, uint32_t stride, size_t i)
{
    return (const char *)base + (size_t)stride * i;
}

/** The frame with the number that a node has, below n_frames. */
static inline const brz_frame_info *brz_frame_at(const brz_tree *t, uint32_t i)
{
    return (const brz_frame_info *)brz_at(t->frames, t->frame_size, i);
}

/** Node i, below n_nodes; 0 is the root. */
static inline const brz_node *brz_node_at(const brz_tree *t, uint32_t i)
{
    return (const brz_node *)brz_at(t->nodes, t->node_size, i);
}

/** Stack i, below n_stacks. */
static inline const brz_stack_info *brz_stack_at(const brz_tree *t, uint32_t i)
{
    return (const brz_stack_info *)brz_at(t->stacks, t->stack_size, i);
}

/** Column i, below n_weights. */
static inline const brz_weight_info *brz_weight_at(const brz_tree *t, uint32_t i)
{
    return (const brz_weight_info *)brz_at(t->weights, t->weight_size, i);
}

/** What node i weighs in both profiles, if brz_tree.changes is not NULL. */
static inline const brz_change *brz_change_at(const brz_tree *t, uint32_t i)
{
    return (const brz_change *)brz_at(t->changes, t->change_size, i);
}

/** By how much a node became heavier; 0 if nothing is compared. */
static inline int64_t brz_delta(const brz_tree *t, uint32_t i)
{
    if (t->changes == NULL)
        return 0;
    const brz_change *c = brz_change_at(t, i);
    if (t->flags & BRZ_TREE_SELF_DELTAS)
        return (int64_t)((uint64_t)c->after_self - (uint64_t)c->before_self);
    return (int64_t)((uint64_t)c->after_total - (uint64_t)c->before_total);
}

/** The name without an annotation _[k], _[i], _[j] or _[w]: what a viewer shows. */
static inline brz_str brz_display_name(brz_str name)
{
    const char *end = name.data + name.len;
    if (name.len < 4 || end[-4] != '_' || end[-3] != '[' || end[-1] != ']')
        return name;
    if (end[-2] != 'k' && end[-2] != 'i' && end[-2] != 'j' && end[-2] != 'w')
        return name;
    return brz_str_of(name.data, name.len - 4);
}

#endif
