/* What palettes and outputs see: the finished profile as stacks and as a call tree.
 *
 * Arrays carry the size of their elements, so that elements can grow; read them through the
 * accessors here. Node 0 is the root, which stands for everything and has an empty name. Nodes are
 * in pre-order: node i's subtree is nodes i .. i + subtree - 1. Which of the two forms is there
 * depends on what the output asked for (BRZ_OUTPUT_NODES, BRZ_OUTPUT_STACKS).
 */
#ifndef BRAZIER_TREE_H
#define BRAZIER_TREE_H

#include <brazier/base.h>

typedef struct brz_frame_info {
    brz_str name, module, file;
    uint32_t line, kind;
} brz_frame_info;

typedef struct brz_node {
    uint32_t frame, parent; /* parent of the root: 0 */
    uint32_t subtree;       /* nodes in it, itself included */
    uint32_t depth;         /* 0 for the root */
    int64_t self, total;    /* of the run's weight */
} brz_node;

/* What a node weighs in the two profiles that a run compares. */
typedef struct brz_change {
    int64_t before_self, before_total;
    int64_t after_self, after_total;
} brz_change;

/* A distinct stack, in the order in which folded lines are sorted. */
typedef struct brz_stack_info {
    const brz_frame *frames; /* root first */
    uint32_t n;
    uint32_t shared;       /* how many frames it begins with like the stack before it */
    const int64_t *values; /* one per weight of the tree */
} brz_stack_info;

typedef struct brz_weight_info {
    brz_str name, unit;
    uint32_t decimals; /* values are multiples of 10^-decimals */
    uint32_t reserved;
    int64_t total;
} brz_weight_info;

#define BRZ_NO_WEIGHT UINT32_MAX

/* brz_tree.flags: a node's difference is that of what it weighs itself, without its subtree. */
#define BRZ_TREE_SELF_DELTAS 1u
/* Nodes are in the order of the input, and only neighbours are merged: a flame chart. What a node
 * weighs itself is anywhere between its children: see brz_tree.starts. */
#define BRZ_TREE_TIME_ORDER 2u

typedef struct brz_tree {
    uint32_t struct_size;
    uint32_t frame_size, node_size, stack_size, weight_size, change_size; /* strides */
    uint32_t n_frames, n_nodes, n_stacks, n_weights;
    uint32_t max_depth;     /* of the nodes */
    uint32_t weight;        /* index of the run's weight: how wide things are */
    uint32_t before, after; /* indexes of the weights that are compared, or BRZ_NO_WEIGHT */
    uint32_t flags, reserved;
    const void *frames, *nodes, *stacks, *weights;
    const void *changes;   /* by node; NULL if nothing is compared */
    const int64_t *starts; /* by node: what the input weighs before it; NULL if nodes are merged */
} brz_tree;

static inline const void *brz_at(const void *base, uint32_t stride, size_t i)
{
    return (const char *)base + (size_t)stride * i;
}

static inline const brz_frame_info *brz_frame_at(const brz_tree *t, uint32_t i)
{
    return (const brz_frame_info *)brz_at(t->frames, t->frame_size, i);
}

static inline const brz_node *brz_node_at(const brz_tree *t, uint32_t i)
{
    return (const brz_node *)brz_at(t->nodes, t->node_size, i);
}

static inline const brz_stack_info *brz_stack_at(const brz_tree *t, uint32_t i)
{
    return (const brz_stack_info *)brz_at(t->stacks, t->stack_size, i);
}

static inline const brz_weight_info *brz_weight_at(const brz_tree *t, uint32_t i)
{
    return (const brz_weight_info *)brz_at(t->weights, t->weight_size, i);
}

static inline const brz_change *brz_change_at(const brz_tree *t, uint32_t i)
{
    return (const brz_change *)brz_at(t->changes, t->change_size, i);
}

/* By how much a node became heavier; 0 if nothing is compared. */
static inline int64_t brz_delta(const brz_tree *t, uint32_t i)
{
    if (t->changes == NULL)
        return 0;
    const brz_change *c = brz_change_at(t, i);
    if (t->flags & BRZ_TREE_SELF_DELTAS)
        return (int64_t)((uint64_t)c->after_self - (uint64_t)c->before_self);
    return (int64_t)((uint64_t)c->after_total - (uint64_t)c->before_total);
}

/* The name without an annotation _[k], _[i], _[j] or _[w]: what a viewer shows. */
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
