/* SPDX-License-Identifier: MIT */
/* Holds stacks as nodes of a tree, so that those that begin with the same frames share these.
 *
 * A node stands for the stack that ends there: the frames of its parent, and one more. Node 0 is
 * the empty stack. Nodes follow their parents.
 */
#ifndef BRZ_STACK_TREE_H
#define BRZ_STACK_TREE_H

#include "base/mem.h"
#include "profile/profile.h"

typedef struct brz_stack_node {
    uint32_t parent;
    uint32_t depth; /* number of frames */
    brz_frame frame;
    uint32_t mark; /* for the owner of the tree; 0 in a new node */
} brz_stack_node;

/* A zeroed tree has no nodes: begin with brz_stack_tree_clear(). */
typedef struct brz_stack_tree {
    brz_stack_node *nodes;
    size_t n, cap;
    uint32_t *slots; /* nodes that brz_stack_tree_child() finds; 0: free */
    size_t n_slots;
} brz_stack_tree;

/* Removes all nodes but node 0. */
void brz_stack_tree_clear(brz_stack_tree *t);

/* Adds a node. */
static inline uint32_t brz_stack_tree_add(brz_stack_tree *t, uint32_t parent, brz_frame frame)
{
    if (t->n == t->cap)
        t->nodes = brz_grow(t->nodes, t->n, &t->cap, sizeof *t->nodes);
    t->nodes[t->n] = (brz_stack_node){parent, t->nodes[parent].depth + 1, frame, 0};
    return (uint32_t)t->n++;
}

/* Returns the node of a frame below `parent`; adds it if no call has done so yet. */
uint32_t brz_stack_tree_child(brz_stack_tree *t, uint32_t parent, brz_frame frame);

/* Stores in a profile the frames of all nodes that have a mark: paths[node] are those of a node and
 * of the nodes above it that had none. paths[] must be NULL for all nodes. */
void brz_stack_tree_store(const brz_stack_tree *t, brz_profile *p, brz_frame **paths);

void brz_stack_tree_finish(brz_stack_tree *t);

#endif
