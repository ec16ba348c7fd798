/* SPDX-License-Identifier: MIT */
/* The numbers of the status line. */
#include "view/figures.h"

#include "plugins/output/common/amount.h"

void view_add_amount(brz_buf *b, const brz_tree *tree, int64_t value)
{
    const amount_scale scale = amount_scale_of(brz_column_at(tree, tree->main_column), 1);
    char text[AMOUNT_ROOM], *end = amount_format(text, &scale, value);
    brz_buf_add(b, text, (size_t)(end - text));
    if (amount_has_units(&scale))
        return;
    brz_str word = amount_word(&scale, text, end);
    brz_buf_add_text(b, " ");
    brz_buf_add(b, word.data, word.len);
}

void view_add_share(brz_buf *b, double part, double whole)
{
    char text[AMOUNT_ROOM], *end = amount_share(text, whole > 0 ? 100 * part / whole : 0);
    brz_buf_add(b, text, (size_t)(end - text));
    brz_buf_add_text(b, "%");
}

/* Appends the gains and losses of a node that has both. */
static void add_signs(brz_buf *b, const brz_tree *tree, const brz_change *c, bool is_short)
{
    if (c->before_total == 0 || c->after_total == 0)
        return;
    brz_buf_add_text(b, is_short ? " +" : ", gains ");
    view_add_amount(b, tree, c->after_total);
    brz_buf_add_text(b, is_short ? " -" : ", losses ");
    view_add_amount(b, tree, c->before_total);
}

/* Appends what a node weighed before, and how that changed; or its gains and losses. */
static void add_change(brz_buf *b, const view_graph *g, uint32_t node, bool is_short)
{
    const brz_tree *tree = &g->tree;
    if (tree->changes == NULL)
        return;
    const brz_change *c = brz_change_at(tree, node);
    if (tree->before == BRZ_NO_COLUMN) {
        add_signs(b, tree, c, is_short);
        return;
    }
    int64_t delta = (int64_t)((uint64_t)c->after_total - (uint64_t)c->before_total);
    brz_buf_add_text(b, is_short ? " was " : ", before ");
    view_add_amount(b, tree, c->before_total);
    brz_buf_add_text(b, delta > 0 ? " (+" : " (");
    view_add_amount(b, tree, delta);
    brz_buf_add_text(b, ")");
}

void view_add_figures(brz_buf *b, const view_graph *g, uint32_t node, uint32_t zoom, bool is_short)
{
    const brz_tree *tree = &g->tree;
    int64_t total = brz_signed_total(tree, node);
    view_add_amount(b, tree, total);
    brz_buf_add_text(b, is_short ? " self " : ", self ");
    view_add_amount(b, tree, brz_signed_self(tree, node));
    add_change(b, g, node, is_short);
    brz_buf_add_text(b, is_short ? " " : ", ");
    view_add_share(b, (double)total, (double)g->whole);
    brz_buf_add_text(b, is_short ? "" : " of all");
    if (zoom == 0)
        return;
    brz_buf_add_text(b, is_short ? " " : ", ");
    view_add_share(b, (double)total, (double)view_node(g, zoom)->total);
    brz_buf_add_text(b, is_short ? "" : " of the selection");
}
