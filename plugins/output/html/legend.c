/* SPDX-License-Identifier: MIT */
/* Writes the meanings of colours.
 *
 *     "legend": [[0xRRGGBB, text], …], that of the selected weight,
 *     "legends": [the same for each weight, 0 for the selected one], if there are several
 *
 * A palette lists what a picture has, the heaviest first, which differs from weight to weight.
 * Weights with losses have colours of their own, and comparisons one weight.
 */
#include "document.h"

typedef struct data_legend {
    brz_legend legend; /* first: the host passes it back */
    brz_writer *w;
    bool has_any;
} data_legend;

static void put_category(brz_legend *legend, uint32_t color, brz_str name)
{
    data_legend *l = (data_legend *)legend;
    brz_put_text(l->w, l->has_any ? ",[" : "[");
    brz_put_u64(l->w, color >> 8);
    brz_put_char(l->w, ',');
    html_put_json(l->w, name);
    brz_put_char(l->w, ']');
    l->has_any = true;
}

static void put_legend_of(html_page *p, const brz_tree *tree)
{
    data_legend l = {.legend = {.struct_size = sizeof l.legend, .add = put_category}, .w = &p->w};
    brz_put_char(&p->w, '[');
    p->ctx->host->legend(p->ctx, tree, &l.legend);
    brz_put_char(&p->w, ']');
}

/* Makes a node of each call, without weights. The root has the frame of the tree's. */
static brz_node *make_nodes(html_page *p)
{
    brz_node *nodes = p->ctx->host->alloc(p->ctx, p->calls.n * sizeof *nodes, 0);
    for (uint32_t i = 0; i < p->calls.n; i++) {
        const call *at = &p->calls.items[i];
        nodes[i] = (brz_node){.frame = i == 0 ? brz_node_at(p->tree, 0)->frame : at->frame,
                              .parent = at->parent,
                              .subtree = at->subtree,
                              .depth = at->depth};
    }
    return nodes;
}

static void weigh(const html_page *p, brz_node *nodes, uint32_t weight)
{
    for (uint32_t i = 0; i < p->calls.n; i++) {
        nodes[i].self = call_self(&p->calls, i, weight);
        nodes[i].total = call_total(&p->calls, i, weight);
    }
}

/* Writes the legend of each weight but the selected one. */
static void put_others(html_page *p)
{
    brz_node *nodes = make_nodes(p);
    brz_tree tree = *p->tree;
    tree.nodes = nodes;
    tree.n_nodes = p->calls.n;
    tree.node_size = sizeof *nodes;
    tree.starts = tree.counts = NULL;
    for (uint32_t weight = 0; weight < tree.n_columns; weight++) {
        brz_put_char(&p->w, weight == 0 ? '[' : ',');
        if (weight == p->tree->main_column) {
            brz_put_char(&p->w, '0');
            continue;
        }
        weigh(p, nodes, weight);
        tree.main_column = weight;
        put_legend_of(p, &tree);
    }
    brz_put_char(&p->w, ']');
}

void html_put_legend(html_page *p)
{
    BRZ_PUT(&p->w, ",\n\"legend\":");
    put_legend_of(p, p->tree);
    if (p->tree->n_columns < 2 || p->tree->changes != NULL || p->tree->n_nodes == 0)
        return;
    BRZ_PUT(&p->w, ",\n\"legends\":");
    put_others(p);
}
