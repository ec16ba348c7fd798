/* Chooses the units of titles. */
#include "svg.h"

void svg_choose_units(svg_picture *p)
{
    const svg_options *o = p->options;
    p->scale = amount_scale_of(brz_weight_at(p->tree, p->tree->weight), o->factor);
    bool counts = o->countname.len > 0 || o->unit == SVG_UNIT_PLAIN;
    p->has_units = !counts && amount_has_units(&p->scale);
    p->countname = o->countname.len > 0 ? o->countname : p->scale.word;
}

uint32_t svg_samples(const svg_picture *p)
{
    uint32_t samples = amount_samples(p->tree, p->tree->weight);
    bool is_whole = p->m.whole == (uint64_t)brz_node_at(p->tree, 0)->total;
    return p->has_units && is_whole ? samples : BRZ_NO_WEIGHT;
}
