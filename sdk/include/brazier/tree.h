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
    uint32_t frame, parent;        /* parent of the root: 0 */
    uint32_t subtree;              /* nodes in it, itself included */
    uint32_t depth;                /* 0 for the root */
    int64_t self, total;           /* of the run's weight */
    int64_t base_self, base_total; /* of the weight compared with; 0 without one */
} brz_node;

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

typedef struct brz_tree {
    uint32_t struct_size;
    uint32_t frame_size, node_size, stack_size, weight_size; /* strides */
    uint32_t n_frames, n_nodes, n_stacks, n_weights;
    uint32_t max_depth;   /* of the nodes */
    uint32_t weight;      /* index of the run's weight */
    uint32_t base_weight; /* index of the weight compared with, or BRZ_NO_WEIGHT */
    const void *frames, *nodes, *stacks, *weights;
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
