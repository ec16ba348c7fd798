/* SPDX-License-Identifier: MIT */
/* Draws frames with few elements: a path for each colour, and a text for each label.
 *
 * A path has a horizontal line as thick as a row for each frame. Frames narrower than a pixel are
 * drawn by pixels instead: each pixel of a row gets a line in their average colour that is as long
 * as the part of the pixel that they cover, so that painted areas stay true. The script replaces
 * all of this.
 */
#include "pieces.h"

#include <stdlib.h>

#include "arithmetic.h"
#include "label.h"

#define NARROW            1.0 /* width of a frame that has no line of its own, in pixels */
#define NARROWEST_OUTLINE 4.0

/* Outlines in pictures of changes. */
typedef enum outline { OUTLINE_NONE, OUTLINE_UNCHANGED, OUTLINE_CHANGED } outline;

/* A line in a row; lengths are pixels. */
typedef struct piece {
    double x, width;
    uint32_t color, depth;
    outline outline;
} piece;

typedef struct text {
    const svg_label *label;
    double x, percent; /* position in pixels, width of the frame in percent */
    uint32_t depth;
    bool is_black;
} text;

/* A pixel of a row, partly covered by narrow frames. */
typedef struct pixel {
    double at, from; /* position; where the frames begin */
    double covered;  /* covered part, 0 to 1 */
    double rgb[3];   /* sums of the colours, weighted by what is covered */
    size_t previous; /* number of the row's last piece, from 1; 0: none */
} pixel;

struct svg_pieces {
    double per_weight; /* pixels per unit of weight */
    piece *list;
    size_t n, cap;
    text *texts;
    size_t n_texts, texts_cap;
    pixel *rows; /* indexed by depth */
};

svg_pieces *svg_pieces_create(svg_picture *p)
{
    svg_pieces *s = p->ctx->host->alloc(p->ctx, sizeof *s, 0);
    size_t rows = (size_t)p->m.max_depth + 1;
    s->per_weight = (double)(p->m.image_width - (int64_t)2 * SVG_SIDE) / p->m.total;
    s->rows = p->ctx->host->alloc(p->ctx, rows * sizeof *s->rows, 0);
    return s;
}

/* ---- lines --------------------------------------------------------------------------------- */

static void add_piece(svg_pieces *s, svg_picture *p, const piece *new_piece)
{
    s->list = brz_output_list_room(p->ctx, s->list, s->n, &s->cap, sizeof *s->list);
    s->list[s->n++] = *new_piece;
}

/* Returns the average colour of a pixel with four bits per channel, which lets more pixels share an
 * element. */
static uint32_t average(const pixel *at)
{
    uint32_t color = 0xff;
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t nibble = (uint32_t)(at->rgb[i] / at->covered / 17 + 0.5);
        color |= nibble * 17 << (24 - 8 * i);
    }
    return color;
}

/* Turns a row's pixel into a line; continues the line before it if the colour is the same and there
 * is no gap. */
static void flush_pixel(svg_pieces *s, svg_picture *p, uint32_t depth)
{
    pixel *at = &s->rows[depth];
    if (at->covered < 0.005)
        return;
    piece new_piece = {at->from, lesser_of(at->covered, 1), average(at), depth, OUTLINE_NONE};
    piece *last = at->previous > 0 ? &s->list[at->previous - 1] : NULL;
    if (last != NULL && last->color == new_piece.color && last->x + last->width > at->from - 0.02) {
        last->width = at->from + new_piece.width - last->x;
    } else {
        add_piece(s, p, &new_piece);
        at->previous = s->n;
    }
    at->covered = at->rgb[0] = at->rgb[1] = at->rgb[2] = 0;
}

/* Adds the part of a narrow frame that lies in one pixel. */
static void cover(svg_pieces *s, svg_picture *p, const piece *part)
{
    pixel *at = &s->rows[part->depth];
    double here = whole_below(part->x);
    if (at->at != here)
        flush_pixel(s, p, part->depth);
    if (at->at != here || at->covered < 0.005)
        at->from = part->x;
    at->at = here;
    at->covered += part->width;
    for (uint32_t i = 0; i < 3; i++)
        at->rgb[i] += part->width * (double)(part->color >> (24 - 8 * i) & 0xff);
}

static void cover_pixels(svg_pieces *s, svg_picture *p, const piece *narrow)
{
    double border = whole_below(narrow->x) + 1, over = narrow->x + narrow->width - border;
    piece part = *narrow;
    if (over > 0)
        part.width -= over;
    cover(s, p, &part);
    part.x = border;
    part.width = over;
    if (over > 0)
        cover(s, p, &part);
}

/* Returns the outline of a frame: unchanged frames of a comparison visibly are frames, and changed
 * ones differ from them. */
static outline outline_of(const svg_picture *p, uint32_t node, double width)
{
    if (p->tree->changes == NULL || width < NARROWEST_OUTLINE)
        return OUTLINE_NONE;
    double change = fabs((double)brz_delta(p->tree, node));
    return change >= SVG_OUTLINED * p->m.total ? OUTLINE_CHANGED : OUTLINE_UNCHANGED;
}

void svg_pieces_add(svg_pieces *s, svg_picture *p, const svg_frame *frame, const svg_label *l,
                    uint32_t color)
{
    uint64_t weight = frame->end - frame->start;
    piece shape = {(double)frame->start * s->per_weight, (double)weight * s->per_weight, color,
                   brz_node_at(p->tree, frame->node)->depth, OUTLINE_NONE};
    text label = {l, shape.x + 3, 100.0 * (double)weight / p->m.total, shape.depth,
                  svg_has_black_label(p, color)};
    if (shape.width < NARROW) {
        cover_pixels(s, p, &shape);
        return;
    }
    flush_pixel(s, p, shape.depth);
    shape.outline = outline_of(p, frame->node, shape.width);
    add_piece(s, p, &shape);
    s->rows[shape.depth].previous = 0;
    if (!svg_has_label(p, l, label.percent))
        return;
    s->texts = brz_output_list_room(p->ctx, s->texts, s->n_texts, &s->texts_cap, sizeof *s->texts);
    s->texts[s->n_texts++] = label;
}

/* ---- writing ------------------------------------------------------------------------------- */

/* Orders pieces by colour, then by position. */
static int by_color(const void *a, const void *b)
{
    const piece *x = a, *y = b;
    if (x->color != y->color)
        return x->color < y->color ? -1 : 1;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    return (x->x > y->x) - (x->x < y->x);
}

/* Writes a length with at most two decimals. */
static char *pen_length(char *to, double v)
{
    int64_t hundredths = (int64_t)nearest_whole(v * 100);
    char *end = brz_format_fixed(to, (double)hundredths / 100, 2);
    if (hundredths % 100 == 0)
        return end - 3;
    return hundredths % 10 == 0 ? end - 1 : end;
}

static void put_piece(svg_picture *p, const piece *at, bool is_first)
{
    char *to = svg_frame_room(p);
    if (is_first) {
        to = pen_hex(PEN(to, "<path stroke=\""), at->color);
        if (svg_has_dark_colors(p))
            to = pen_hex(PEN(to, "\" color=\""), ink_dark(&p->ink, at->color));
        to = PEN(to, "\" d=\"");
    }
    *to++ = 'M';
    to = pen_length(to, at->x);
    *to++ = ' ';
    to = brz_format_i64(to, svg_frame_top(p, at->depth));
    *to++ = 'h';
    to = pen_length(to, greater_of(at->width, 0.01));
    p->w.used = (size_t)(to - p->w.buffer);
}

static void put_shapes(svg_pieces *s, svg_picture *p)
{
    char open[128];
    int n =
        snprintf(open, sizeof open, "<g transform=\"translate(0 %.1f)\" stroke-width=\"%lld\">\n",
                 (double)(p->options->height - 1) / 2, (long long)p->options->height - 1);
    brz_put(&p->w, open, n > 0 ? (size_t)n : 0);
    if (s->n > 0)
        qsort(s->list, s->n, sizeof *s->list, by_color);
    for (size_t i = 0; i < s->n; i++) {
        bool is_last = i + 1 == s->n || s->list[i + 1].color != s->list[i].color;
        put_piece(p, &s->list[i], i == 0 || s->list[i - 1].color != s->list[i].color);
        if (is_last)
            BRZ_PUT(&p->w, "\"/>");
        if (is_last && p->options->pretty)
            brz_put_char(&p->w, '\n');
    }
    BRZ_PUT(&p->w, "</g>\n");
}

/* Writes the outlines of one sort. */
static void put_outlines(svg_pieces *s, svg_picture *p, outline wanted, const char *color)
{
    bool has_any = false;
    for (size_t i = 0; i < s->n; i++) {
        const piece *at = &s->list[i];
        if (at->outline != wanted)
            continue;
        if (!has_any)
            brz_put_text(&p->w, color);
        has_any = true;
        char *to = svg_frame_room(p);
        *to++ = 'M';
        to = pen_length(to, at->x + 0.5);
        to = brz_format_fixed(PEN(to, " "), (double)svg_frame_top(p, at->depth) + 0.5, 1);
        *to++ = 'h';
        to = pen_length(to, at->width - 1);
        *to++ = 'v';
        to = brz_format_i64(to, p->options->height - 2);
        to = PEN(to, "h-");
        to = PEN(pen_length(to, at->width - 1), "z");
        p->w.used = (size_t)(to - p->w.buffer);
    }
    if (has_any)
        BRZ_PUT(&p->w, "\"/>\n");
}

static void put_label(svg_picture *p, const svg_frames *f, const text *t)
{
    const svg_row *r = &f->rows[t->depth];
    char *to = pen_length(PEN(svg_frame_room(p), "<text x=\""), t->x);
    to = pen_bytes(PEN(to, "\" y=\""), r->text_y, r->text_len);
    to = t->is_black ? PEN(to, "\">") : PEN(to, "\" fill=\"#fff\">");
    to = svg_pen_label(to, p, t->label, t->percent);
    to = PEN(to, "</text>");
    if (p->options->pretty)
        *to++ = '\n';
    p->w.used = (size_t)(to - p->w.buffer);
}

void svg_pieces_put(svg_pieces *s, svg_picture *p, const svg_frames *f)
{
    for (uint32_t depth = 0; depth <= p->m.max_depth; depth++)
        flush_pixel(s, p, depth);
    put_shapes(s, p);
    put_outlines(s, p, OUTLINE_UNCHANGED,
                 "<path fill=\"none\" stroke=\"#b0b0b0\" color=\"#6c7078\" d=\"");
    put_outlines(s, p, OUTLINE_CHANGED,
                 "<path fill=\"none\" stroke=\"#303030\" color=\"#fff\" d=\"");
    for (size_t i = 0; i < s->n_texts; i++)
        put_label(p, f, &s->texts[i]);
}
