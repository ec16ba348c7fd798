/* A frame: a group of a title, a rectangle and a label.
 *
 * Positions are percents of the container, so that the picture takes any width; the weights behind
 * them stand in fg:x and fg:w for the script. What lies in frames that are not drawn stands in
 * fg:u, so that the script can tell it from the frame's own weight.
 */
#include <brazier/xml.h>

#include "svg.h"

#include <math.h>

/* "1234567" as "1,234,567". */
static void put_grouped(brz_writer *w, uint64_t v)
{
    char text[32], *end = text + sizeof text, *p = end;
    for (int digits = 0; v > 0 || digits == 0; digits++, v /= 10) {
        if (digits > 0 && digits % 3 == 0)
            *--p = ',';
        *--p = (char)('0' + v % 10);
    }
    brz_put(w, p, (size_t)(end - p));
}

static double power_of_ten(uint32_t n)
{
    double v = 1;
    while (n-- > 0)
        v *= 10;
    return v;
}

/* Ten-thousandths behind a point, without trailing zeros; nothing for 0. */
static void put_fraction(brz_writer *w, uint32_t fraction)
{
    char digits[8], *end = digits + sizeof digits, *start;
    ptrdiff_t places = 4;
    if (fraction == 0)
        return;
    for (; fraction % 10 == 0; fraction /= 10)
        places--;
    start = brz_digits(end, fraction);
    while (end - start < places)
        *--start = '0';
    brz_put_char(w, '.');
    brz_put(w, start, (size_t)(end - start));
}

/* A weight as it is shown: times the factor, rounded; with a fraction if the weight has one. */
static void put_count(svg_picture *p, uint64_t v)
{
    uint32_t decimals = brz_weight_at(p->tree, p->tree->weight)->decimals;
    double shown = (double)v * p->options->factor / power_of_ten(decimals);
    if (decimals == 0 && p->options->factor == 1) {
        put_grouped(&p->w, v);
    } else if (shown >= 9.2e18) {
        brz_put_fixed(&p->w, shown, 0);
    } else if (decimals == 0) {
        put_grouped(&p->w, (uint64_t)round(shown));
    } else {
        uint64_t whole = (uint64_t)shown;
        uint32_t fraction = (uint32_t)round((shown - floor(shown)) * 1e4);
        put_grouped(&p->w, whole + fraction / 10000);
        put_fraction(&p->w, fraction % 10000);
    }
}

/* The share of the whole that the title tells, worked out of the rounded count. */
static double title_percent(const svg_picture *p, uint64_t v)
{
    double factor = p->options->factor;
    return 100.0 * round((double)v * factor) / (p->m.total * factor);
}

static void put_title(svg_picture *p, const svg_frame *f, brz_str name, bool root)
{
    BRZ_PUT(&p->w, "<g><title>");
    if (root)
        BRZ_PUT(&p->w, "all");
    else
        brz_put_xml(&p->w, name);
    BRZ_PUT(&p->w, " (");
    put_count(p, f->end - f->start);
    brz_put_char(&p->w, ' ');
    brz_put_xml(&p->w, p->options->countname);
    if (root) {
        BRZ_PUT(&p->w, ", 100%)</title>");
        return;
    }
    BRZ_PUT(&p->w, ", ");
    brz_put_fixed(&p->w, title_percent(p, f->end - f->start), 2);
    BRZ_PUT(&p->w, "%)</title>");
}

/* rgb(r,g,b) */
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

static void put_rect(svg_picture *p, const svg_frame *f, uint32_t depth, double x, double width)
{
    BRZ_PUT(&p->w, "<rect x=\"");
    brz_put_fixed(&p->w, x, 4);
    BRZ_PUT(&p->w, "%\" y=\"");
    brz_put_i64(&p->w, svg_frame_top(p, depth));
    BRZ_PUT(&p->w, "\" width=\"");
    brz_put_fixed(&p->w, width, 4);
    BRZ_PUT(&p->w, "%\" height=\"");
    brz_put_i64(&p->w, p->options->height - 1);
    BRZ_PUT(&p->w, "\" fill=\"");
    put_color(&p->w, p->ctx->host->color(p->ctx, p->tree, f->node));
    BRZ_PUT(&p->w, "\" fg:x=\"");
    brz_put_u64(&p->w, f->start);
    BRZ_PUT(&p->w, "\" fg:w=\"");
    brz_put_u64(&p->w, f->end - f->start);
    if (f->narrow > 0) {
        BRZ_PUT(&p->w, "\" fg:u=\"");
        brz_put_u64(&p->w, f->narrow);
    }
    BRZ_PUT(&p->w, "\"/>");
}

/* How many characters a UTF-8 text has. */
static size_t count_characters(brz_str s)
{
    size_t n = 0;
    for (size_t i = 0; i < s.len; i++)
        n += ((unsigned char)s.data[i] & 0xc0) != 0x80;
    return n;
}

/* The first n characters. */
static brz_str first_characters(brz_str s, size_t n)
{
    size_t at = 0;
    for (; n > 0 && at < s.len; n--)
        at += brz_utf8_step(brz_str_of(s.data + at, s.len - at));
    return brz_str_of(s.data, at);
}

static brz_str last_characters(brz_str s, size_t n)
{
    size_t at = s.len;
    for (; n > 0 && at > 0; n--)
        do
            at--;
        while (at > 0 && ((unsigned char)s.data[at] & 0xc0) == 0x80);
    return brz_str_of(s.data + at, s.len - at);
}

/* As much of a name as fits; the end of a name mostly tells more than its beginning. */
static void put_label(svg_picture *p, brz_str name, double width)
{
    const svg_options *o = p->options;
    double character = 100.0 * (double)o->fontsize * o->fontwidth / (double)p->m.image_width;
    double room = floor(width / character);
    if (!(room >= 3))
        return;
    if (room > 1e6 || count_characters(name) < (size_t)room) {
        brz_put_xml(&p->w, name);
    } else if (o->truncate_right) {
        brz_put_xml(&p->w, first_characters(name, (size_t)room - 2));
        BRZ_PUT(&p->w, "..");
    } else {
        BRZ_PUT(&p->w, "..");
        brz_put_xml(&p->w, last_characters(name, (size_t)room - 2));
    }
}

static void put_text(svg_picture *p, brz_str name, uint32_t depth, double x, double width)
{
    double top = (double)svg_frame_top(p, depth);
    double middle = (top + top + (double)p->options->height - 1) / 2;
    BRZ_PUT(&p->w, "<text x=\"");
    brz_put_fixed(&p->w, x + 100.0 * 3.0 / (double)p->m.image_width, 4);
    BRZ_PUT(&p->w, "%\" y=\"");
    brz_put_fixed(&p->w, 3.0 + middle, 2);
    BRZ_PUT(&p->w, "\">");
    put_label(p, name, width);
    BRZ_PUT(&p->w, "</text></g>");
}

static void draw_frame(svg_picture *p, const svg_frame *f)
{
    const brz_node *n = brz_node_at(p->tree, f->node);
    brz_str name = brz_display_name(brz_frame_at(p->tree, n->frame)->name);
    bool root = f->node == 0;
    double x = 100.0 * (double)f->start / p->m.total;
    double width = 100.0 * (double)(f->end - f->start) / p->m.total;
    put_title(p, f, name, root);
    put_rect(p, f, n->depth, x, width);
    put_text(p, root ? BRZ_STR("all") : name, n->depth, x, width);
    if (p->options->pretty)
        brz_put_char(&p->w, '\n');
}

void svg_put_frames(svg_picture *p)
{
    BRZ_PUT(&p->w, "<svg id=\"frames\" x=\"10\" width=\"");
    brz_put_i64(&p->w, p->m.image_width - 2 * SVG_SIDE);
    BRZ_PUT(&p->w, "\" total_samples=\"");
    brz_put_u64(&p->w, (uint64_t)brz_node_at(p->tree, 0)->total);
    BRZ_PUT(&p->w, "\">\n");
    svg_walk(p, draw_frame);
    BRZ_PUT(&p->w, "</svg>");
}
