/* SPDX-License-Identifier: MIT */
/* The call tree of a picture: frames with the weights that are drawn, from which those of the
 * frames themselves follow. */
#ifndef PICTURE_GRAPH_H
#define PICTURE_GRAPH_H

#include <brazier/text.h>

#define GRAPH_NO_NODE UINT32_MAX

typedef struct graph_node {
    brz_frame frame;
    uint32_t depth;
    uint32_t caller; /* index, less than the node's own; GRAPH_NO_NODE for a root */
    uint32_t n_called;
    bool is_whole; /* stands for the whole profile: its frame is part only of its own stack */
    int64_t total;
    int64_t called; /* sum of the totals of called nodes */
    bool has_own;   /* `own` is what the input states of the node itself */
    int64_t own;
    const char *at; /* where the input describes it */
} graph_node;

typedef struct graph {
    brz_stacks stacks; /* root first */
    graph_node *nodes; /* in pre-order */
    size_t n, cap;
    uint32_t *open; /* the last node of each depth */
    size_t open_cap;
} graph;

void graph_init(graph *g, brz_ctx *ctx);

/* Adds a node after those that come before it in pre-order: `frame`, `depth`, `is_whole`, `total`
 * and `at` of `n` are set. Returns false if there is no caller of that depth. */
bool graph_add(graph *g, brz_ctx *ctx, const graph_node *n);

/* Counts what the nodes have themselves. Reports nodes that call more than they have, by more than
 * rounding. */
brz_rc graph_count(graph *g, brz_ctx *ctx, uint32_t column);

#endif
