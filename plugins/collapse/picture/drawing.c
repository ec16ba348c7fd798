/* SPDX-License-Identifier: MIT */
/* Reads a flame graph from the elements of SVG, alone or within a page. */
#include "drawing.h"

#include <brazier/symbol.h>

#include "../../common/sample_count.h"

void drawing_init(drawing *d, brz_ctx *ctx)
{
    d->ctx = ctx;
    graph_init(&d->graph, ctx);
    elements_init(&d->elements, ctx);
    own_tree_init(&d->own, ctx, &d->graph.stacks);
}

/* Reads the tag of a picture, or of one within it. */
static void read_svg(drawing *d, const markup *m)
{
    static const char *const keys[] = {"xmlns:fg"};
    brz_str value;
    if (d->n_open == 0 && drawing_is_any(d)) {
        brz_report_lost(d->ctx, "picture.several", m->name.data, m->name.len,
                        BRZ_STR("another picture begins in the same input: left out"));
        d->is_over = true;
        return;
    }
    markup_attributes(m, keys, 1, &value);
    d->is_own |= brz_str_is(value, "urn:brazier:flame-graph");
    d->n_open += !m->is_empty;
    own_tree_read_whole(&d->own, m);
}

void drawing_read(drawing *d, markup *m)
{
    if (d->is_over)
        return;
    d->end = m->text.data + m->text.len;
    if (markup_is(m, MARKUP_OPEN, "metadata"))
        own_tree_read(&d->own, m);
    else if (markup_is(m, MARKUP_OPEN, "svg"))
        read_svg(d, m);
    else if (markup_is(m, MARKUP_CLOSE, "svg"))
        d->n_open -= d->n_open > 0;
    else
        elements_read(&d->elements, m);
}

/* Returns whether boxes are frames: most have a count or a share of the whole. Other pictures have
 * rectangles with titles, too, such as bars. */
static bool are_frames(const boxes *b)
{
    size_t n = 0;
    for (size_t i = 0; i < b->n; i++)
        n += b->items[i].has_count || b->items[i].percent >= 0 || b->items[i].is_weighed;
    return n * 2 > b->n;
}

bool drawing_is_any(const drawing *d)
{
    return d->own.records.len > 0 || are_frames(&d->elements.boxes);
}

brz_rc drawing_refuse(drawing *d)
{
    const picture_facts *facts = &d->elements.facts;
    brz_str why =
        BRZ_STR("a picture, but no flame graph in it: give brazier the profile that it shows");
    if (d->is_own)
        why = BRZ_STR("a flame graph without its data, drawn with --no-javascript: its frames have "
                      "no names; draw it with --no-compact, too, or give brazier the profile");
    else if (facts->is_graphviz)
        why = BRZ_STR("a call graph drawn by Graphviz, which has no stacks: give brazier the "
                      "profile itself");
    brz_report(d->ctx, BRZ_FATAL, "picture.none", NULL, 0, why);
    return BRZ_ERROR;
}

/* ---- boxes ----------------------------------------------------------------------------------- */

static void report_boxes(const drawing *d)
{
    const picture_facts *facts = &d->elements.facts;
    if (facts->is_reversed)
        brz_report(d->ctx, BRZ_NOTE, "picture.reversed", NULL, 0,
                   BRZ_STR("a reversed flame graph, by its title: its stacks begin where those of "
                           "the profile ended"));
    if (facts->is_scaled)
        brz_report(d->ctx, BRZ_NOTE, "picture.factor", NULL, 0,
                   BRZ_STR("titles that show multiples of the weights: the weights themselves "
                           "count"));
    if (facts->is_comparison)
        brz_report(d->ctx, BRZ_NOTE, "picture.comparison", NULL, 0,
                   BRZ_STR("a comparison: the weights that it shows count, changes are left out"));
}

static brz_rc count_boxes(drawing *d)
{
    boxes *b = &d->elements.boxes;
    elements_finish(&d->elements);
    uint32_t column =
        BRZ_DECLARE_COLUMN(d->ctx, .name = b->unit, .unit = b->unit, .decimals = b->decimals,
                           .flags = sample_count_flags(b->unit));
    boxes_nest(b, d->ctx, &d->graph);
    report_boxes(d);
    return graph_count(&d->graph, d->ctx, column);
}

brz_rc drawing_count(drawing *d)
{
    if (d->n_open > 0)
        BRZ_WARN(d->ctx, "picture.cut-off", d->end, 0,
                 "the picture is cut off: what it lacks counts for callers");
    return d->own.records.len > 0 ? own_tree_count(&d->own) : count_boxes(d);
}
