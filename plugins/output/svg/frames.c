/* SPDX-License-Identifier: MIT */
/* Draws the frames, in few elements (pieces.c) or as other tools do: each is a group of a title, a
 * rectangle and a label. Frames of functions with attributes of their own are always groups.
 *
 * Positions are percentages of the container, so that the picture adapts to any width; fg:x and
 * fg:w hold their weights for the script. fg:u holds the weight of callees that are not
 * drawn, which lets the script distinguish it from the frame's self weight. In comparisons, fg:d is
 * the change in the frame's weight; without one, it is the frame's gains less its losses.
 */
#include "arithmetic.h"
#include "frame_parts.h"
#include "label.h"
#include "pieces.h"

/* ---- titles ---------------------------------------------------------------------------------- */

/* Writes a fraction in ten-thousandths after a decimal point, without trailing zeros; nothing for
 * 0. */
static char *pen_fraction(char *to, uint32_t fraction)
{
    char digits[4];
    size_t n = 4;
    if (fraction == 0)
        return to;
    for (size_t i = 4; i > 0; i--, fraction /= 10)
        digits[i - 1] = (char)('0' + fraction % 10);
    while (digits[n - 1] == '0')
        n--;
    *to++ = '.';
    memcpy(to, digits, n);
    return to + n;
}

/* Writes a weight multiplied by the factor and rounded; keeps a fraction if the weight has
 * decimals. */
static char *pen_count(char *to, const svg_picture *p, const svg_frames *f, uint64_t v)
{
    if (f->decimals == 0 && p->options->factor == 1)
        return pen_grouped(to, v);
    double shown = (double)v * p->options->factor / f->per_unit;
    if (shown >= 9.2e18)
        return brz_format_fixed(to, shown, 0);
    if (f->decimals == 0)
        return pen_grouped(to, (uint64_t)nearest_whole(shown));
    uint64_t whole = (uint64_t)shown;
    uint32_t fraction = (uint32_t)nearest_whole((shown - whole_below(shown)) * 1e4);
    return pen_fraction(pen_grouped(to, whole + fraction / 10000), fraction % 10000);
}

/* Writes the number of samples of a node, if it is known besides its weight. That of the root
 * counts samples without a weight, too. */
static char *pen_samples(char *to, const svg_picture *p, uint32_t node)
{
    uint32_t samples = svg_samples(p);
    if (samples == BRZ_NO_COLUMN || (node != 0 && p->counted == NULL))
        return to;
    const brz_column_info *info = brz_column_at(p->tree, samples);
    const amount_scale scale = amount_scale_of(info, 1);
    char *count = PEN(to, " in ");
    to = amount_format(count, &scale, node == 0 ? info->total : (int64_t)svg_samples_of(p, node));
    return amount_is_one(count, to) ? PEN(to, " sample") : PEN(to, " samples");
}

/* Returns the percentage shown in the title, computed from the rounded count. */
static double title_percent(const svg_picture *p, const svg_frames *f, uint64_t v)
{
    double shown = (double)v * p->options->factor;
    return 100.0 * (p->options->factor == 1 ? shown : nearest_whole(shown)) / f->title_total;
}

/* Writes a share of the whole; pictures in the style of other tools show small ones as 0. */
static char *pen_share(char *to, const svg_picture *p, double percent)
{
    char text[AMOUNT_ROOM], *end;
    if (!p->options->compact)
        return PEN(brz_format_fixed(to, percent, 2), "%");
    end = amount_share(text, percent);
    for (const char *c = text; c < end; c++)
        to = *c == '<' ? PEN(to, "&lt;") : pen_bytes(to, c, 1);
    return PEN(to, "%");
}

/* Writes the change in a frame's weight as a percentage of the whole. */
static char *pen_delta(char *to, const svg_picture *p, uint32_t node)
{
    int64_t delta = brz_delta(p->tree, node);
    if (p->tree->before == BRZ_NO_COLUMN)
        return to;
    to = PEN(to, "; ");
    if (delta > 0)
        *to++ = '+';
    return pen_share(to, p, 100.0 * (double)delta / p->m.total);
}

/* Writes a weight without a word for what is counted. */
static char *pen_amount(char *to, const svg_picture *p, const svg_frames *f, uint64_t v)
{
    return p->has_units ? amount_format(to, &p->scale, (int64_t)v) : pen_count(to, p, f, v);
}

/* Writes the gains and losses of a frame that has both: its width is their sum, its weight their
 * difference. */
static char *pen_signs(char *to, const svg_picture *p, const svg_frames *f, uint32_t node)
{
    uint64_t net = (uint64_t)brz_signed_total(p->tree, node);
    uint64_t size = (uint64_t)brz_node_at(p->tree, node)->total, losses = (size - net) / 2;
    if (!svg_is_signed(p) || losses == 0 || losses == size)
        return to;
    to = pen_amount(PEN(to, "; gains "), p, f, size - losses);
    return pen_amount(PEN(to, ", losses "), p, f, losses);
}

static char *pen_numbers(char *to, const svg_picture *p, const svg_frames *f, uint32_t node,
                         uint64_t weight, bool is_loss)
{
    to = PEN(to, ", ");
    if (node == 0 && !svg_is_signed(p))
        return PEN(to, "100%)</title>");
    double percent = title_percent(p, f, weight);
    to = pen_share(to, p, is_loss ? -percent : percent);
    to = node == 0 ? to : pen_delta(to, p, node);
    return PEN(pen_signs(to, p, f, node), ")</title>");
}

/* Writes a count of the unit, in the singular if it shows as 1. */
static char *pen_counted(char *to, svg_picture *p, const svg_frames *f, uint64_t v)
{
    char *end = pen_count(to, p, f, v);
    return svg_pen_text(end, p, amount_is_one(to, end) ? f->unit_of_1 : f->unit);
}

/* Returns the size of the weight that the title of a frame shows, and whether it is a loss: that of
 * gains less losses if the frame may have both, otherwise the frame's width. */
static uint64_t shown_weight(const svg_picture *p, const svg_frame *frame, bool *is_loss)
{
    int64_t net = svg_is_signed(p) ? brz_signed_total(p->tree, frame->node) : 0;
    *is_loss = net < 0;
    if (!svg_is_signed(p))
        return frame->end - frame->start;
    return net < 0 ? 0 - (uint64_t)net : (uint64_t)net;
}

/* Writes a frame's weight and its percentage. */
static char *pen_weight(char *to, svg_picture *p, const svg_frames *f, const svg_frame *frame)
{
    bool is_loss;
    uint64_t v = shown_weight(p, frame, &is_loss);
    to = is_loss ? PEN(to, " (-") : PEN(to, " (");
    if (p->has_units)
        to = amount_format(to, &p->scale, (int64_t)v);
    else
        to = pen_counted(to, p, f, v);
    to = pen_samples(to, p, frame->node);
    return pen_numbers(to, p, f, frame->node, v, is_loss);
}

/* Writes the title of a frame; returns the position after it, with room for a frame. */
static char *svg_pen_title(char *to, svg_picture *p, const svg_frames *f, const svg_frame *frame,
                           const svg_label *l)
{
    if (l->attributes == NULL)
        return pen_weight(svg_pen_text(PEN(to, "<g><title>"), p, l->shown_xml), p, f, frame);
    p->w.used = (size_t)(to - p->w.buffer);
    svg_put_group(p, l->attributes, l->xml);
    bool own = svg_put_own_title(p, l->attributes);
    to = svg_frame_room(p);
    return own ? to : pen_weight(svg_pen_text(to, p, l->shown_xml), p, f, frame);
}

/* ---- data shared by frames ----------------------------------------------------------------- */

static void make_rows(svg_picture *p, svg_frames *f)
{
    f->rows = p->ctx->host->alloc(p->ctx, (p->m.max_depth + 1) * sizeof *f->rows, 0);
    for (uint32_t depth = 0; depth <= p->m.max_depth; depth++) {
        svg_row *r = &f->rows[depth];
        int64_t top = svg_frame_top(p, depth);
        double middle = ((double)top + (double)top + (double)p->options->height - 1) / 2;
        r->rect_len = (uint8_t)(brz_format_i64(r->rect_y, top) - r->rect_y);
        r->text_len = (uint8_t)(brz_format_fixed(r->text_y, 3.0 + middle, 2) - r->text_y);
    }
}

static void make_channels(svg_frames *f)
{
    for (uint32_t v = 0; v < 256; v++) {
        char text[BRZ_NUMBER_ROOM] = {0};
        uint32_t n = (uint32_t)(brz_format_u64(text, v) - text);
        text[3] = (char)n;
        memcpy(&f->channel[v], text, 4);
    }
}

/* Returns a blank and a word. */
static brz_str unit_of(svg_picture *p, brz_str word)
{
    brz_str unit = svg_escaped(p->ctx, word);
    char *text = p->ctx->host->alloc(p->ctx, unit.len + 1, 0);
    text[0] = ' ';
    memcpy(text + 1, unit.data, unit.len);
    return brz_str_of(text, unit.len + 1);
}

static void make_units(svg_picture *p, svg_frames *f)
{
    f->unit = unit_of(p, p->countname);
    f->unit_of_1 = p->options->compact ? unit_of(p, amount_singular(p->countname)) : f->unit;
}

static void prepare(svg_picture *p, svg_frames *f)
{
    f->labels = p->ctx->host->alloc(p->ctx, p->tree->n_frames * sizeof(svg_label *), 0);
    f->decimals = brz_column_at(p->tree, p->tree->main_column)->decimals;
    f->text_offset = 100.0 * 3.0 / (double)p->m.image_width;
    f->title_total = p->m.total * p->options->factor;
    f->per_unit = svg_steps(p->tree);
    char *end = PEN(f->height, "%\" height=\"");
    end = brz_format_i64(end, p->options->height - 1);
    f->height_len = (size_t)(PEN(end, "\" fill=\"rgb(") - f->height);
    f->drawn = p->ctx->host->alloc(p->ctx, p->n_drawn * sizeof *f->drawn, 0);
    f->pieces = NULL;
    if (p->options->compact && p->options->strokecolor == 0)
        f->pieces = svg_pieces_create(p);
    make_rows(p, f);
    make_channels(f);
    make_units(p, f);
}

/* ---- rectangle and label ------------------------------------------------------------------- */

static char *pen_channel(char *to, const svg_frames *f, uint32_t v)
{
    memcpy(to, &f->channel[v & 0xff], 4);
    return to + to[3];
}

/* Writes a colour as "r,g,b)". */
static char *pen_color(char *to, const svg_frames *f, uint32_t color)
{
    to = pen_channel(to, f, color >> 24);
    *to++ = ',';
    to = pen_channel(to, f, color >> 16);
    *to++ = ',';
    to = pen_channel(to, f, color >> 8);
    *to++ = ')';
    return to;
}

static char *pen_row(char *to, const char text[BRZ_NUMBER_ROOM], size_t len)
{
    memcpy(to, text, 24);
    return to + len;
}

/* Writes the rectangle, and the label up to its text. */
static char *pen_shape(char *to, svg_picture *p, const svg_frames *f, const svg_frame *frame,
                       uint32_t depth, double x, double width)
{
    const svg_row *r = &f->rows[depth];
    to = brz_format_fixed(PEN(to, "<rect x=\""), x, 4);
    to = pen_row(PEN(to, "%\" y=\""), r->rect_y, r->rect_len);
    to = brz_format_fixed(PEN(to, "\" width=\""), width, 4);
    memcpy(to, f->height, 32);
    uint32_t color = f->drawn[frame->place].color;
    bool is_black = svg_has_black_label(p, color);
    to = pen_color(to + f->height_len, f, color);
    if (svg_has_dark_colors(p))
        to = pen_hex(PEN(to, "\" color=\""), ink_dark(&p->ink, color));
    to = brz_format_u64(PEN(to, "\" fg:x=\""), frame->start);
    to = brz_format_u64(PEN(to, "\" fg:w=\""), frame->end - frame->start);
    if (frame->narrow > 0)
        to = brz_format_u64(PEN(to, "\" fg:u=\""), frame->narrow);
    if (p->tree->changes != NULL)
        to = brz_format_i64(PEN(to, "\" fg:d=\""), brz_delta(p->tree, frame->node));
    to = brz_format_fixed(PEN(to, "\"/><text x=\""), x + f->text_offset, 4);
    to = pen_row(PEN(to, "%\" y=\""), r->text_y, r->text_len);
    return is_black ? PEN(to, "\">") : PEN(to, "\" fill=\"#fff\">");
}

static void draw_group(svg_picture *p, const svg_frames *f, const svg_frame *frame,
                       const svg_label *l)
{
    const brz_node *n = brz_node_at(p->tree, frame->node);
    double x = 100.0 * (double)frame->start / p->m.total;
    double width = 100.0 * (double)(frame->end - frame->start) / p->m.total;
    char *to = svg_pen_title(svg_frame_room(p), p, f, frame, l);
    to = svg_pen_label(pen_shape(to, p, f, frame, n->depth, x, width), p, l, width);
    to = svg_is_link(l->attributes) ? PEN(to, "</text></a>") : PEN(to, "</text></g>");
    if (p->options->pretty)
        *to++ = '\n';
    p->w.used = (size_t)(to - p->w.buffer);
}

static void draw_frame(svg_picture *p, const svg_frame *frame, void *arg)
{
    static const svg_label all = {{"all", 3}, {"all", 3}, {"all", 3}, {"all", 3}, 3, NULL};
    svg_frames *f = arg;
    const brz_node *n = brz_node_at(p->tree, frame->node);
    const svg_label *l = frame->node == 0 ? &all : svg_label_of(p, f, n->frame);
    svg_drawn *drawn = &f->drawn[frame->place];
    drawn->node = frame->node;
    drawn->color = p->ctx->host->color(p->ctx, p->palette_tree,
                                       p->origins == NULL ? frame->node : p->origins[frame->node]);
    if (f->pieces != NULL && l->attributes == NULL)
        svg_pieces_add(f->pieces, p, frame, l, drawn->color);
    else
        draw_group(p, f, frame, l);
}

void svg_put_frames(svg_picture *p)
{
    svg_frames f;
    prepare(p, &f);
    BRZ_PUT(&p->w, "<svg id=\"frames\" x=\"10\" width=\"");
    brz_put_i64(&p->w, p->m.image_width - (int64_t)2 * SVG_SIDE);
    BRZ_PUT(&p->w, "\" total_samples=\"");
    brz_put_u64(&p->w, p->m.whole);
    BRZ_PUT(&p->w, "\"");
    if (svg_has_dark_colors(p))
        BRZ_PUT(&p->w, " color=\"#fff\""); /* of labels in the dark theme */
    BRZ_PUT(&p->w, ">\n");
    svg_walk(p, draw_frame, &f);
    if (f.pieces != NULL)
        svg_pieces_put(f.pieces, p, &f);
    BRZ_PUT(&p->w, "</svg>");
    if (p->options->javascript)
        svg_put_data(p, &f);
}
