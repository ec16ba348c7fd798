/* SPDX-License-Identifier: MIT */
/* Maps the calls of a page, which have all weights, to the nodes of the selected weight. */
#include "document.h"

#include <brazier/symbol.h>

/* Returns whether a call is that of a node, if both have the same caller. Both merge frames by
 * name. */
static bool is_same(const brz_tree *tree, const call *at, const brz_node *n)
{
    return n->depth == at->depth &&
           brz_str_equal(brz_frame_at(tree, n->frame)->name, brz_frame_at(tree, at->frame)->name);
}

/* Gives calls the frames of their nodes: the host chooses one of those that a node merges, and all
 * outputs show that one. */
static void take_frames(html_page *p)
{
    for (uint32_t i = 1; i < p->calls.n; i++)
        if (p->node_of[i] != HTML_NO_NODE)
            p->calls.items[i].frame = brz_node_at(p->tree, p->node_of[i])->frame;
}

/* Nodes are the calls with a selected weight, in the same order, unless they are in the order of
 * time. */
void html_find_nodes(html_page *p)
{
    uint32_t next = 1;
    uint32_t *node_of = p->ctx->host->alloc(p->ctx, p->calls.n * sizeof *node_of, 0);
    node_of[0] = 0;
    if (p->tree->starts != NULL)
        return;
    for (uint32_t i = 1; i < p->calls.n; i++) {
        const call *at = &p->calls.items[i];
        const brz_node *n = next < p->tree->n_nodes ? brz_node_at(p->tree, next) : NULL;
        bool is_it = n != NULL && node_of[at->parent] == n->parent && is_same(p->tree, at, n);
        node_of[i] = is_it ? next++ : HTML_NO_NODE;
    }
    if (next != p->tree->n_nodes)
        return;
    p->node_of = node_of;
    take_frames(p);
}
