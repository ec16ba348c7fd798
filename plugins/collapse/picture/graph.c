/* SPDX-License-Identifier: MIT */
/* Collects the call tree of a picture, and counts its stacks. */
#include "graph.h"

void graph_init(graph *g, brz_ctx *ctx)
{
    brz_stacks_init(&g->stacks, ctx, BRZ_NESTED);
}

bool graph_add(graph *g, brz_ctx *ctx, const graph_node *n)
{
    uint32_t deepest = g->n == 0 ? 0 : g->nodes[g->n - 1].depth + 1;
    if (n->depth > deepest)
        return false;
    g->nodes = brz_list_room(ctx, g->nodes, g->n, &g->cap, sizeof *g->nodes);
    g->open = brz_list_room(ctx, g->open, n->depth, &g->open_cap, sizeof *g->open);
    g->open[n->depth] = (uint32_t)g->n;
    g->nodes[g->n] = *n;
    graph_node *added = &g->nodes[g->n++];
    added->caller = n->depth > 0 ? g->open[n->depth - 1] : GRAPH_NO_NODE;
    if (added->caller == GRAPH_NO_NODE)
        return true;
    graph_node *caller = &g->nodes[added->caller];
    caller->n_called++;
    brz_stacks_sum(&g->stacks, &caller->called, n->total);
    return true;
}

/* Reports a node that calls more than it has, unless rounding explains that: each total may be
 * rounded by half. */
static void check_sum(brz_ctx *ctx, const graph_node *n)
{
    if (n->called - n->total > n->n_called)
        BRZ_WARN(ctx, "picture.sum", n->at, 0,
                 "a frame that is smaller than those it calls: these count");
    else if (n->has_own && n->total - n->called != n->own)
        BRZ_WARN(
            ctx, "picture.own", n->at, 0,
            "a frame whose callees do not leave what it states to have itself: the rest counts");
}

/* Makes the path that of a node. */
static void enter(graph *g, brz_ctx *ctx, const graph_node *n)
{
    bool below_whole = g->nodes[0].is_whole && n->depth > 0;
    brz_path_cut(g->stacks.path, n->depth - below_whole);
    brz_path_push(g->stacks.path, ctx, n->frame);
}

brz_rc graph_count(graph *g, brz_ctx *ctx, uint32_t column)
{
    brz_rc rc = BRZ_OK;
    for (size_t i = 0; i < g->n && rc == BRZ_OK; i++) {
        const graph_node *n = &g->nodes[i];
        check_sum(ctx, n);
        enter(g, ctx, n);
        if (n->total > n->called)
            rc = brz_stacks_count(&g->stacks, ctx, column, n->total - n->called);
    }
    return rc;
}
