/* SPDX-License-Identifier: MIT */
/* Builds a graph from stacks: equal ones become one, and callees are put in order. */
#ifndef BRZ_VIEW_BUILDER_H
#define BRZ_VIEW_BUILDER_H

#include "view/graph.h"

/* The order of the callees of a node. */
typedef enum view_order {
    VIEW_ORDER_NAME,
    VIEW_ORDER_WEIGHT, /* heaviest first */
} view_order;

/* A node while it is built; its caller precedes it. */
typedef struct view_building {
    uint32_t frame, parent;
    brz_node weights;  /* `self` and `total` only */
    brz_change change; /* `before_self` and `after_self`, then also the totals */
} view_building;

typedef struct view_builder {
    const view_graph *source;
    view_building *nodes; /* node 0 is the root */
    size_t n, cap;
    uint32_t *slots; /* hash table of nodes by caller and frame; VIEW_NO_NODE: empty */
    size_t n_slots;  /* a power of two */
    uint32_t *runs;  /* by node: see view_graph; NULL: there are none */
} view_builder;

/* Begins a graph with the frames of another one. */
void view_builder_init(view_builder *b, const view_graph *source);

/* Returns the callee of a node with this frame; adds it if there is none. */
uint32_t view_builder_callee(view_builder *b, uint32_t node, uint32_t frame);

/* Adds the own weight of a node of the source to a node, with its change. */
void view_builder_add_self(view_builder *b, uint32_t node, uint32_t from);

/* Adds the weight of a node of the source and its callees to a node's own. */
void view_builder_add_total(view_builder *b, uint32_t node, uint32_t from);

/* Adds a value to a node's own weight, which is its size without its sign. */
void view_builder_add_value(view_builder *b, uint32_t node, int64_t value);

/* Releases a builder whose graph is not needed. */
void view_builder_drop(view_builder *b);

/* Returns the graph, and releases the builder. */
view_graph *view_builder_finish(view_builder *b, view_order order);

#endif
