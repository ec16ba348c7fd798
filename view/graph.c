/* SPDX-License-Identifier: MIT */
/* A call tree with positions. */
#include "view/graph.h"

#include <stdlib.h>

#include "base/mem.h"

/* Adds up positions: weights of the nodes themselves, in preorder. */
static int64_t *add_positions(const brz_tree *tree)
{
    int64_t *at = brz_calloc(tree->n_nodes + (size_t)1, sizeof *at), sum = 0;
    for (uint32_t i = 0; i < tree->n_nodes; i++) {
        int64_t self = brz_node_at(tree, i)->self;
        at[i] = sum;
        sum = view_sum(sum, self > 0 ? self : 0);
    }
    return at;
}

static view_graph *create(const brz_tree *tree)
{
    view_graph *g = brz_calloc(1, sizeof *g);
    g->tree = *tree;
    g->users = 1;
    return g;
}

static void complete(view_graph *g)
{
    g->own_at = g->tree.starts == NULL ? add_positions(&g->tree) : NULL;
    g->at = g->tree.starts == NULL ? g->own_at : g->tree.starts;
    g->colors = brz_calloc(g->tree.n_nodes + (size_t)1, sizeof *g->colors);
}

view_graph *view_graph_create(const brz_tree *tree)
{
    view_graph *g = create(tree);
    g->ranks = brz_calloc(1, sizeof *g->ranks);
    atomic_init(&g->ranks->users, 1);
    g->whole = tree->n_nodes > 0 ? brz_node_at(tree, 0)->total : 0;
    complete(g);
    return g;
}

static uint32_t deepest(const brz_node *nodes, uint32_t n)
{
    uint32_t depth = 0;
    for (uint32_t i = 0; i < n; i++)
        depth = nodes[i].depth > depth ? nodes[i].depth : depth;
    return depth;
}

view_graph *view_graph_create_own(const view_graph *source, brz_node *nodes, brz_change *changes,
                                  uint32_t n_nodes)
{
    view_graph *g = create(&source->tree);
    g->ranks = source->ranks;
    atomic_fetch_add(&g->ranks->users, 1);
    g->whole = source->whole;
    g->own_nodes = nodes;
    g->own_changes = changes;
    g->tree.nodes = nodes;
    g->tree.node_size = sizeof *nodes;
    g->tree.n_nodes = n_nodes;
    g->tree.max_depth = deepest(nodes, n_nodes);
    g->tree.changes = changes;
    g->tree.change_size = sizeof *changes;
    g->tree.starts = g->tree.counts = NULL;
    g->tree.flags &= ~(uint32_t)BRZ_TREE_TIME_ORDER;
    complete(g);
    return g;
}

view_graph *view_graph_keep(view_graph *g)
{
    g->users++;
    return g;
}

/* Gives up a graph's share of ranks, which the last graph destroys. */
static void drop_ranks(view_ranks *ranks)
{
    if (atomic_fetch_sub(&ranks->users, 1) > 1)
        return;
    free(ranks->of_frames);
    free(ranks);
}

void view_graph_destroy(view_graph *g)
{
    if (g == NULL || --g->users > 0)
        return;
    view_graph_destroy(g->base);
    drop_ranks(g->ranks);
    free(g->runs);
    free(g->own_at);
    free(g->colors);
    free(g->own_nodes);
    free(g->own_changes);
    free(g);
}

brz_str view_name(const view_graph *g, uint32_t i)
{
    return i == 0 ? BRZ_STR("all") : brz_display_name(view_frame(g, i));
}

/* Returns the last node below `root`, or `root`, that begins at a weight or before. */
static uint32_t last_at(const view_graph *g, uint32_t root, double weight)
{
    uint32_t low = root, high = root + view_node(g, root)->subtree;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if ((double)g->at[middle] <= weight)
            low = middle;
        else
            high = middle;
    }
    return low;
}

uint32_t view_graph_find(const view_graph *g, uint32_t root, double weight)
{
    uint32_t i = last_at(g, root, weight);
    while (i != root && weight >= (double)g->at[i] + (double)view_node(g, i)->total)
        i = view_node(g, i)->parent;
    return i;
}

uint32_t view_graph_ancestor(const view_graph *g, uint32_t node, uint32_t depth)
{
    while (view_node(g, node)->depth > depth)
        node = view_node(g, node)->parent;
    return node;
}

uint32_t view_graph_color(view_graph *g, brz_output_ctx *ctx, uint32_t node)
{
    if (g->colors[node] == 0)
        g->colors[node] = ctx->host->color(ctx, &g->tree, node) | 0xff;
    return g->colors[node];
}
