/* SPDX-License-Identifier: MIT */
/* Writes the legend: the meaning of the palettes' colours, in rows below the title. */
#include <brazier/xml.h>

#include "picture.h"

/* A category and its position in pixels. */
typedef struct entry {
    uint32_t color;
    brz_str name;
    int64_t x, row;
} entry;

struct svg_legend {
    brz_legend legend; /* first: the host passes it back */
    svg_picture *picture;
    entry *entries;
    size_t n, cap;
    int64_t rows;
};

#define LONGEST 60 /* maximum length of a category's name, in characters */
#define GAP     16 /* distance between two categories, in pixels */

static void add(brz_legend *legend, uint32_t color, brz_str name)
{
    svg_legend *l = (svg_legend *)legend;
    brz_output_ctx *ctx = l->picture->ctx;
    l->entries = brz_output_list_room(ctx, l->entries, l->n, &l->cap, sizeof *l->entries);
    l->entries[l->n++] = (entry){color, brz_output_keep(ctx, name), 0, 0};
}

/* Returns the length of the part of a name that is shown, in bytes; stores its length in
 * characters. */
static size_t shown(brz_str name, int64_t *characters)
{
    size_t at = 0;
    for (*characters = 0; at < name.len && *characters < LONGEST; ++*characters)
        at += brz_utf8_step(brz_str_of(name.data + at, name.len - at));
    return at;
}

static void place(svg_picture *p, svg_legend *l)
{
    const svg_options *o = p->options;
    int64_t x = SVG_SIDE, row = 0;
    for (size_t i = 0; i < l->n; i++) {
        int64_t characters;
        shown(l->entries[i].name, &characters);
        int64_t width =
            o->fontsize + 6 + (int64_t)((double)(characters * o->fontsize) * o->fontwidth) + GAP;
        if (x > SVG_SIDE && x + width > p->m.image_width - SVG_SIDE) {
            x = SVG_SIDE;
            row++;
        }
        l->entries[i].x = x;
        l->entries[i].row = row;
        x += width;
    }
    l->rows = l->n > 0 ? row + 1 : 0;
}

static int64_t row_height(const svg_picture *p)
{
    return p->options->fontsize + 6;
}

void svg_measure_legend(svg_picture *p)
{
    p->m.legend = 0;
    if (!p->options->legend)
        return;
    svg_legend *l = p->ctx->host->alloc(p->ctx, sizeof *l, 0);
    l->legend.struct_size = sizeof l->legend;
    l->legend.add = add;
    l->picture = p;
    p->legend = l;
    p->ctx->host->legend(p->ctx, p->palette_tree, &l->legend);
    place(p, l);
    p->m.legend = l->rows * row_height(p);
}

/* Writes a colour as "rgb(r,g,b)". */
static void put_color(brz_writer *w, uint32_t color)
{
    BRZ_PUT(w, "rgb(");
    brz_put_u64(w, color >> 24);
    brz_put_char(w, ',');
    brz_put_u64(w, color >> 16 & 0xff);
    brz_put_char(w, ',');
    brz_put_u64(w, color >> 8 & 0xff);
    brz_put_char(w, ')');
}

static void put_entry(svg_picture *p, const entry *e)
{
    const svg_options *o = p->options;
    brz_writer *w = &p->w;
    int64_t characters;
    int64_t y =
        3 * o->fontsize + (o->subtitle.len > 0 ? 2 * o->fontsize : 0) + e->row * row_height(p);
    BRZ_PUT(w, "<rect x=\"");
    brz_put_i64(w, e->x);
    BRZ_PUT(w, "\" y=\"");
    brz_put_i64(w, y);
    BRZ_PUT(w, "\" width=\"");
    brz_put_i64(w, o->fontsize);
    BRZ_PUT(w, "\" height=\"");
    brz_put_i64(w, o->fontsize);
    BRZ_PUT(w, "\" fill=\"");
    put_color(w, e->color);
    if (svg_has_dark_colors(p)) {
        BRZ_PUT(w, "\" color=\"");
        put_color(w, ink_dark(&p->ink, e->color));
    }
    BRZ_PUT(w, "\"/><text x=\"");
    brz_put_i64(w, e->x + o->fontsize + 6);
    BRZ_PUT(w, "\" y=\"");
    brz_put_i64(w, y + o->fontsize - 2);
    BRZ_PUT(w, "\" fill=\"currentColor\">");
    size_t len = shown(e->name, &characters);
    brz_put_xml(w, brz_str_of(e->name.data, len));
    if (len < e->name.len)
        BRZ_PUT(w, "\342\200\246"); /* … */
    BRZ_PUT(w, "</text>\n");
}

void svg_put_legend(svg_picture *p)
{
    if (p->m.legend == 0)
        return;
    BRZ_PUT(&p->w, "<g id=\"legend\">\n");
    for (size_t i = 0; i < p->legend->n; i++)
        put_entry(p, &p->legend->entries[i]);
    BRZ_PUT(&p->w, "</g>\n");
}
