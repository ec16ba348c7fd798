/* SPDX-License-Identifier: MIT */
/* Computes the layout: heights, paddings, positions of rows. */
#include "picture.h"

#include "arithmetic.h"

#define FLUID_WIDTH 1200 /* nominal width of a picture that adapts to its container */

double svg_steps(const brz_tree *tree)
{
    double steps = 1;
    for (uint32_t i = 0; i < brz_column_at(tree, tree->main_column)->decimals; i++)
        steps *= 10;
    return steps;
}

/* Returns the weight of the whole picture: that of all samples, or a larger one given by the
 * option. */
static uint64_t measure_whole(svg_picture *p)
{
    uint64_t total = (uint64_t)brz_node_at(p->tree, 0)->total;
    double wanted = nearest_whole(p->options->total * svg_steps(p->tree));
    if (wanted <= 0)
        return total;
    if (wanted >= (double)total && wanted < 9.2e18)
        return (uint64_t)wanted;
    brz_output_report(
        p->ctx, BRZ_WARNING, "svg.total",
        BRZ_STR("the option 'total' is ignored: it is less than the weight of all samples, "
                "or too large"));
    return total;
}

static double measure_narrowest(const svg_picture *p)
{
    double room = greater_of((double)p->m.image_width - 2 * SVG_SIDE, 1);
    double wanted = p->options->minwidth;
    return wanted < 0 ? 100 * -wanted / room : wanted;
}

#define LABEL_PADDING 3 /* left and right of a label, in pixels */

static void measure_labels(svg_picture *p)
{
    double character = (double)p->options->fontsize * p->options->fontwidth * SVG_WIDER;
    p->m.label_columns = (double)(p->m.image_width - (int64_t)2 * SVG_SIDE) / 100 / character;
    p->m.label_padding = 2 * LABEL_PADDING / character;
}

void svg_measure(svg_picture *p)
{
    const svg_options *o = p->options;
    svg_measures *m = &p->m;
    m->image_width = o->width > 0 ? o->width : FLUID_WIDTH;
    m->whole = measure_whole(p);
    m->total = (double)m->whole;
    m->min_percent = measure_narrowest(p);
    m->min_width =
        lesser_of(m->min_percent / (100.0 / m->total), m->total); /* the root is always drawn */
    m->top = o->inverted ? 4 * o->fontsize + 4 : 3 * o->fontsize;
    m->top += o->subtitle.len > 0 ? 2 * o->fontsize : 0;
    measure_labels(p);
    svg_measure_legend(p);
    m->top += m->legend;
    m->bottom = o->inverted ? o->fontsize + 10 : 2 * o->fontsize + 10;
    svg_count_frames(p);
    m->image_height = ((int64_t)m->max_depth + 1) * o->height + m->top + m->bottom;
}

int64_t svg_frame_top(const svg_picture *p, uint32_t depth)
{
    if (p->options->inverted)
        return p->m.top + (int64_t)depth * p->options->height;
    return p->m.image_height - p->m.bottom - ((int64_t)depth + 1) * p->options->height + 1;
}
