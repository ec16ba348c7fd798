/* SPDX-License-Identifier: MIT */
/* A call tree as the viewer shows it: nodes with positions, found by weight.
 *
 * A position is the weight before a node, in the order of the picture: the node covers the weights
 * from its position up to that plus its total, and its own weight precedes its callees. Positions
 * do not decrease in preorder, so that the frames at a weight are found by a binary search and the
 * way to the root, in a time that does not depend on the size of the profile. */
#ifndef BRZ_VIEW_GRAPH_H
#define BRZ_VIEW_GRAPH_H

#include <stdatomic.h>

#include <brazier/output.h>

#include "base/saturated.h"

/* The order of the names of a profile's frames, which all of its graphs share. */
typedef struct view_ranks {
    uint32_t *of_frames; /* by frame: equal names have one rank; NULL: not needed yet */
    atomic_uint users;   /* number of graphs that share it */
} view_ranks;

typedef struct view_graph {
    brz_tree tree;     /* the host's, or one with nodes of this graph */
    const int64_t *at; /* by node: its position */
    int64_t *own_at;   /* NULL: positions of the host */
    uint32_t *colors;  /* by node: 0xRRGGBBAA; 0: not asked yet */
    int64_t whole;     /* weight of the whole profile, of which shares are taken */
    brz_node *own_nodes;
    brz_change *own_changes;
    struct view_graph *base; /* the graph in which each frame of a run is shown; NULL: this one */
    view_ranks *ranks;       /* filled in by the only thread that makes graphs */
    uint32_t *runs; /* by node: number of frames of the run that it stands for; NULL: none */
    uint32_t users; /* number of places and graphs that own it */
} view_graph;

/* Stands for no node. */
#define VIEW_NO_NODE UINT32_MAX

/* Creates the graph of a tree, which must outlive it. */
view_graph *view_graph_create(const brz_tree *tree);

/* Creates a graph of the same profile as another one, with nodes of its own, allocated with
 * brz_malloc(), which it frees. `changes` may be NULL. */
view_graph *view_graph_create_own(const view_graph *source, brz_node *nodes, brz_change *changes,
                                  uint32_t n_nodes);

/* Gives a graph another owner. Returns it. */
view_graph *view_graph_keep(view_graph *g);

/* Destroys a graph when its last owner does so; NULL is allowed. */
void view_graph_destroy(view_graph *g);

static inline const brz_node *view_node(const view_graph *g, uint32_t i)
{
    return brz_node_at(&g->tree, i);
}

/* Returns a sum, which stays at the limits of its type. */
static inline int64_t view_sum(int64_t a, int64_t b)
{
    bool is_saturated = false;
    return brz_add_saturated(a, b, &is_saturated);
}

/* Returns the frame of a node. */
static inline const brz_frame_info *view_frame(const view_graph *g, uint32_t i)
{
    return brz_frame_at(&g->tree, view_node(g, i)->frame);
}

/* Returns the graph with the single frames of runs. */
static inline view_graph *view_graph_unfolded(view_graph *g)
{
    return g->base != NULL ? g->base : g;
}

/* Returns the number of frames that a node stands for, from 1. */
static inline uint32_t view_run(const view_graph *g, uint32_t i)
{
    return g->runs == NULL ? 1 : g->runs[i];
}

/* Returns the name that the viewer shows for a node: the root is "all". */
brz_str view_name(const view_graph *g, uint32_t i);

/* Returns the deepest node below `root`, or `root`, that covers a weight. */
uint32_t view_graph_find(const view_graph *g, uint32_t root, double weight);

/* Returns the ancestor of a node at a depth that is not larger than its own. */
uint32_t view_graph_ancestor(const view_graph *g, uint32_t node, uint32_t depth);

/* Returns the colour of a node; asks the palettes once for each. */
uint32_t view_graph_color(view_graph *g, brz_output_ctx *ctx, uint32_t node);

#endif
