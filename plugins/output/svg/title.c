/* Writes the title of a frame, which browsers show as a tooltip: its weight, and its change in
 * comparisons. */
#include "title.h"

#include <math.h>

#include "label.h"

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
        return pen_grouped(to, (uint64_t)round(shown));
    uint64_t whole = (uint64_t)shown;
    uint32_t fraction = (uint32_t)round((shown - floor(shown)) * 1e4);
    return pen_fraction(pen_grouped(to, whole + fraction / 10000), fraction % 10000);
}

/* Writes the number of samples of a node, if it is known besides its weight. That of the root
 * counts samples without a weight, too. */
static char *pen_samples(char *to, const svg_picture *p, uint32_t node)
{
    uint32_t samples = svg_samples(p);
    if (samples == BRZ_NO_WEIGHT || (node != 0 && p->counted == NULL))
        return to;
    const brz_weight_info *info = brz_weight_at(p->tree, samples);
    const amount_scale scale = amount_scale_of(info, 1);
    char *count = PEN(to, " in ");
    to = amount_format(count, &scale, node == 0 ? info->total : (int64_t)svg_samples_of(p, node));
    return amount_is_one(count, to) ? PEN(to, " sample") : PEN(to, " samples");
}

/* Returns the percentage shown in the title, computed from the rounded count. */
static double title_percent(const svg_picture *p, const svg_frames *f, uint64_t v)
{
    double shown = (double)v * p->options->factor;
    return 100.0 * (p->options->factor == 1 ? shown : round(shown)) / f->title_total;
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
    if (p->tree->changes == NULL || svg_is_signed(p))
        return to;
    to = PEN(to, "; ");
    if (delta > 0)
        *to++ = '+';
    return pen_share(to, p, 100.0 * (double)delta / p->m.total);
}

static char *pen_numbers(char *to, const svg_picture *p, const svg_frames *f,
                         const svg_frame *frame)
{
    to = PEN(to, ", ");
    if (frame->node == 0)
        return PEN(to, "100%)</title>");
    to = pen_share(to, p, title_percent(p, f, frame->end - frame->start));
    return PEN(pen_delta(to, p, frame->node), ")</title>");
}

/* Writes a count of the unit, in the singular if it shows as 1. */
static char *pen_counted(char *to, svg_picture *p, const svg_frames *f, uint64_t v)
{
    char *end = pen_count(to, p, f, v);
    return svg_pen_text(end, p, amount_is_one(to, end) ? f->unit_of_1 : f->unit);
}

/* Returns the size of the weight that the title of a frame shows, and whether it is a loss: the
 * difference of gains and losses if there are both, otherwise the frame's width. */
static uint64_t shown_weight(const svg_picture *p, const svg_frame *frame, bool *is_loss)
{
    int64_t delta = svg_is_signed(p) ? brz_delta(p->tree, frame->node) : 0;
    *is_loss = delta < 0;
    if (!svg_is_signed(p))
        return frame->end - frame->start;
    return delta < 0 ? 0 - (uint64_t)delta : (uint64_t)delta;
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
    return pen_numbers(to, p, f, frame);
}

char *svg_pen_title(char *to, svg_picture *p, const svg_frames *f, const svg_frame *frame,
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
