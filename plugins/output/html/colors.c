/* SPDX-License-Identifier: MIT */
/* Writes colours: one for each frame, taken from its heaviest node, and one for each call whose
 * colour differs; so each call has the colour that it has in a picture of the selected weight.
 *
 * Palettes that draw random numbers give every node its own colour. If there are more than MOST
 * distinct colours, the picture is of that sort, and each frame gets a single colour.
 *
 * Frames that occur only where the selected weight is 0 have no node. They get the colour of a node
 * without weight.
 */
#include "document.h"

#include "../common/keys.h"

#define MOST 4096

typedef struct coloring {
    uint32_t *of_node, *of_frame; /* numbers in `known` */
    keys known;
} coloring;

static uint32_t number_of(coloring *c, uint32_t color)
{
    return keys_add(&c->known, color >> 8);
}

/* Returns the colour of a frame that has no node: that of the only call in a tree. */
static uint32_t color_without_node(const html_page *p, uint32_t frame)
{
    const brz_node node = {.frame = frame};
    const brz_change change = {0};
    brz_tree tree = *p->tree;
    tree.n_nodes = 1;
    tree.nodes = &node;
    tree.changes = tree.changes == NULL ? NULL : &change;
    tree.starts = tree.counts = NULL;
    tree.n_stacks = 0;
    return p->ctx->host->color(p->ctx, &tree, 0);
}

/* Requests the colour of each node, once and in drawing order, as palettes expect. */
static void ask(html_page *p, coloring *c)
{
    const brz_tree *tree = p->tree;
    int64_t *heaviest = p->ctx->host->alloc(p->ctx, tree->n_frames * sizeof *heaviest, 0);
    for (uint32_t i = 0; i < tree->n_frames; i++)
        heaviest[i] = INT64_MIN;
    for (uint32_t i = 0; i < tree->n_nodes; i++) {
        const brz_node *n = brz_node_at(tree, i);
        c->of_node[i] = number_of(c, p->ctx->host->color(p->ctx, tree, i));
        if (n->total <= heaviest[n->frame])
            continue;
        heaviest[n->frame] = n->total;
        c->of_frame[n->frame] = c->of_node[i];
    }
    for (uint32_t i = 0; i < tree->n_frames; i++)
        if (heaviest[i] == INT64_MIN)
            c->of_frame[i] = number_of(c, color_without_node(p, i));
}

/* Returns whether a call's colour differs from that of its frame. */
static bool differ(const html_page *p, const coloring *c)
{
    for (uint32_t i = 1; i < p->calls.n; i++)
        if (p->node_of[i] != HTML_NO_NODE &&
            c->of_node[p->node_of[i]] != c->of_frame[p->calls.items[i].frame])
            return true;
    return false;
}

static void put_frame_colors(html_page *p, const coloring *c)
{
    BRZ_PUT(&p->w, ",\n\"frameColors\":");
    html_open_column(&p->w);
    for (uint32_t i = 0; i < p->tree->n_frames; i++)
        html_put_number(&p->w, c->of_frame[p->frames[i]]);
    html_close_column(&p->w);
}

/* Writes the colours of calls; 0 stands for the colour of the frame. */
static void put_call_colors(html_page *p, const coloring *c)
{
    BRZ_PUT(&p->w, ",\n\"callColors\":");
    html_open_column(&p->w);
    for (uint32_t i = 1; i < p->calls.n; i++) {
        uint32_t node = p->node_of[i];
        bool is_frame_color =
            node == HTML_NO_NODE || c->of_node[node] == c->of_frame[p->calls.items[i].frame];
        html_put_number(&p->w, is_frame_color ? 0 : c->of_node[node] + 1);
    }
    html_close_column(&p->w);
}

void html_put_colors(html_page *p)
{
    coloring c = {0};
    const brz_output_host *host = p->ctx->host;
    c.of_node = host->alloc(p->ctx, p->tree->n_nodes * sizeof *c.of_node, 0);
    c.of_frame = host->alloc(p->ctx, p->tree->n_frames * sizeof *c.of_frame, 0);
    keys_init(&c.known, p->ctx);
    ask(p, &c);
    BRZ_PUT(&p->w, ",\n\"colors\":[");
    for (uint32_t i = 0; i < c.known.n; i++) {
        if (i > 0)
            brz_put_char(&p->w, ',');
        brz_put_u64(&p->w, c.known.items[i]);
    }
    brz_put_char(&p->w, ']');
    put_frame_colors(p, &c);
    if (c.known.n <= MOST && p->node_of != NULL && differ(p, &c))
        put_call_colors(p, &c);
}
