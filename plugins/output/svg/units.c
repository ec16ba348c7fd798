/* SPDX-License-Identifier: MIT */
/* Chooses the units of titles. */
#include "picture.h"

void svg_choose_units(svg_picture *p)
{
    const svg_options *o = p->options;
    p->scale = amount_scale_of(brz_column_at(p->tree, p->tree->main_column), o->factor);
    bool counts = o->countname.len > 0 || o->unit == SVG_UNIT_PLAIN;
    p->has_units = !counts && amount_has_units(&p->scale);
    p->countname = o->countname.len > 0 ? o->countname : p->scale.word;
}

uint32_t svg_samples(const svg_picture *p)
{
    uint32_t samples = amount_samples(p->tree, p->tree->main_column);
    bool is_whole = p->m.whole == (uint64_t)brz_node_at(p->tree, 0)->total;
    bool is_counted = !svg_is_signed(p) || p->tree->counts != NULL; /* not with losses, too */
    return p->has_units && is_whole && is_counted ? samples : BRZ_NO_COLUMN;
}

void svg_count_samples(svg_picture *p)
{
    const brz_tree *tree = p->tree;
    uint64_t sum = 0;
    if (tree->counts == NULL || svg_samples(p) == BRZ_NO_COLUMN)
        return;
    uint64_t *counted = p->ctx->host->alloc(p->ctx, ((size_t)tree->n_nodes + 1) * sizeof sum, 0);
    for (uint32_t i = 0; i < tree->n_nodes; i++) {
        counted[i] = sum;
        sum += tree->counts[i] > 0 ? (uint64_t)tree->counts[i] : 0;
    }
    counted[tree->n_nodes] = sum;
    p->counted = counted;
}
