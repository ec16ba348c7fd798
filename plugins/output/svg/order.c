/* SPDX-License-Identifier: MIT */
/* Orders the frames beside each other by weight, heaviest first. Equal ones stay in their order. */
#include "picture.h"

#include <stdlib.h>

/* A node that is still to be placed. */
typedef struct waiting {
    int64_t weight;
    uint32_t node;
} waiting;

/* Puts heavy nodes last, since the last one is placed first. */
static int by_weight(const void *a, const void *b)
{
    const waiting *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? -1 : 1;
    return (x->node < y->node) - (x->node > y->node);
}

/* Stores the original numbers of the nodes in their new pre-order. */
static void place(const brz_tree *tree, waiting *todo, uint32_t *origins)
{
    uint32_t n_todo = 1;
    todo[0].node = 0;
    for (uint32_t placed = 0; n_todo > 0; placed++) {
        uint32_t node = todo[--n_todo].node, from = n_todo;
        uint32_t end = node + brz_node_at(tree, node)->subtree;
        origins[placed] = node;
        for (uint32_t i = node + 1; i < end; i += brz_node_at(tree, i)->subtree)
            todo[n_todo++] = (waiting){brz_node_at(tree, i)->total, i};
        if (n_todo > from + 1)
            qsort(todo + from, n_todo - from, sizeof *todo, by_weight);
    }
}

/* Copies the nodes with what belongs to them. */
static void copy_nodes(svg_picture *p, brz_tree *to)
{
    const brz_tree *from = p->tree;
    brz_output_ctx *ctx = p->ctx;
    size_t n = from->n_nodes;
    brz_node *nodes = ctx->host->alloc(ctx, n * sizeof *nodes, 0);
    brz_change *changes = ctx->host->alloc(ctx, n * sizeof *changes, 0);
    int64_t *counts = ctx->host->alloc(ctx, n * sizeof *counts, 0);
    uint32_t *place_of = ctx->host->alloc(ctx, n * sizeof *place_of, 0);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t origin = p->origins[i];
        place_of[origin] = i;
        nodes[i] = *brz_node_at(from, origin);
        nodes[i].parent = place_of[nodes[i].parent];
        changes[i] = from->changes == NULL ? (brz_change){0} : *brz_change_at(from, origin);
        counts[i] = from->counts == NULL ? 0 : from->counts[origin];
    }
    to->nodes = nodes;
    to->node_size = sizeof *nodes;
    to->changes = from->changes == NULL ? NULL : changes;
    to->change_size = sizeof *changes;
    to->counts = from->counts == NULL ? NULL : counts;
}

void svg_order(svg_picture *p)
{
    const brz_tree *tree = p->tree;
    p->palette_tree = tree;
    if (p->options->order != SVG_ORDER_WEIGHT || tree->starts != NULL)
        return;
    waiting *todo = p->ctx->host->alloc(p->ctx, tree->n_nodes * sizeof *todo, 0);
    p->origins = p->ctx->host->alloc(p->ctx, tree->n_nodes * sizeof *p->origins, 0);
    place(tree, todo, p->origins);
    p->ordered = *tree;
    copy_nodes(p, &p->ordered);
    p->tree = &p->ordered;
}
