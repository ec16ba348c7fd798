/* Where things are: heights, paddings, the place of a row. */
#include "svg.h"

#include <math.h>

#define FLUID_WIDTH 1200 /* of a picture that will take the width it is given */

void svg_measure(svg_picture *p)
{
    const svg_options *o = p->options;
    svg_measures *m = &p->m;
    int64_t total = brz_node_at(p->tree, 0)->total;
    m->total = (double)total;
    m->min_width = fmin(o->minwidth / (100.0 / m->total), m->total); /* the whole is drawn */
    m->image_width = o->width > 0 ? o->width : FLUID_WIDTH;
    m->top = o->inverted ? 4 * o->fontsize + 4 : 3 * o->fontsize;
    m->top += o->subtitle.len > 0 ? 2 * o->fontsize : 0;
    svg_measure_legend(p);
    m->top += m->legend;
    m->bottom = o->inverted ? o->fontsize + 10 : 2 * o->fontsize + 10;
    svg_walk(p, NULL, NULL);
    m->image_height = ((int64_t)m->max_depth + 1) * o->height + m->top + m->bottom;
}

int64_t svg_frame_top(const svg_picture *p, uint32_t depth)
{
    if (p->options->inverted)
        return p->m.top + (int64_t)depth * p->options->height;
    return p->m.image_height - p->m.bottom - ((int64_t)depth + 1) * p->options->height + 1;
}
