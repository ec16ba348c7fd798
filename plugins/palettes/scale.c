/* SPDX-License-Identifier: MIT */
/* Colours frames by a numeric property. */
#include "scale.h"

#include <math.h>
#include <stdio.h>

enum { BY_SELF, BY_TOTAL, BY_DEPTH };
enum { STEPS_LINEAR, STEPS_ROOT, STEPS_LOG };

const char *const scale_by_choices[] = {"self", "total", "depth", NULL};
const char *const scale_steps_choices[] = {"linear", "root", "log", NULL};

static double value_of(const scale_options *o, const brz_node *n)
{
    int64_t v = o->by == BY_SELF ? n->self : o->by == BY_TOTAL ? n->total : (int64_t)n->depth;
    return v > 0 ? (double)v : 0;
}

brz_rc scale_prepare(brz_palette_ctx *ctx, const brz_tree *tree)
{
    scale_state *s = ctx->inst;
    s->largest = 1;
    s->total = tree->n_nodes > 0 ? (double)brz_node_at(tree, 0)->total : 0;
    for (uint32_t i = 0; i < tree->n_nodes; i++) {
        double v = value_of(ctx->cfg, brz_node_at(tree, i));
        s->largest = v > s->largest ? v : s->largest;
    }
    return BRZ_OK;
}

/* Returns the position on the scale of a share of the largest value, 0..1. Logarithms span three
 * decades: values below a thousandth count as nothing. */
static double place_of(const scale_options *o, double share)
{
    double at = o->steps == STEPS_ROOT ? sqrt(share) : share;
    if (o->steps == STEPS_LOG)
        at = share <= 0.001 ? 0 : 1 + log10(share) / 3;
    at = o->low + (o->high - o->low) * at;
    return o->reverse ? 1 - at : at;
}

/* Interpolates the byte at `shift` between two colours. */
static uint32_t mix(uint32_t a, uint32_t b, int shift, double part)
{
    double x = a >> shift & 0xff, y = b >> shift & 0xff;
    return (uint32_t)(x + (y - x) * part + 0.5);
}

static uint32_t color_at(const scale *s, double place)
{
    double at = (place < 0 ? 0 : place > 1 ? 1 : place) * (s->n - 1);
    uint32_t i = (uint32_t)at < s->n - 1 ? (uint32_t)at : s->n - 2;
    uint32_t a = s->colors[i], b = s->colors[i + 1];
    double part = at - i;
    return BRZ_RGB(mix(a, b, 24, part), mix(a, b, 16, part), mix(a, b, 8, part));
}

uint32_t scale_color(const brz_palette_ctx *ctx, const brz_color_in *in, const scale *s)
{
    const scale_state *state = ctx->inst;
    double share = value_of(ctx->cfg, in->node) / state->largest;
    return color_at(s, place_of(ctx->cfg, share < 1 ? share : 1));
}

/* Describes a value in words. Returns the length of the text. */
static int describe(const scale_options *o, double value, double total, char *text, size_t size)
{
    if (o->by == BY_DEPTH)
        return snprintf(text, size, "depth %.0f", value);
    return snprintf(text, size, "%s %.3g%%", scale_by_choices[o->by],
                    total > 0 ? 100 * value / total : 0);
}

void scale_legend(brz_palette_ctx *ctx, brz_legend *legend, const scale *s)
{
    static const double shares[] = {0, 0.05, 0.25, 0.5, 1};
    const scale_options *o = ctx->cfg;
    const scale_state *state = ctx->inst;
    for (size_t i = 0; i < BRZ_COUNT_OF(shares); i++) {
        char text[48];
        double v = shares[i] * state->largest;
        if (o->by == BY_DEPTH && v != floor(v))
            continue; /* no frame has that depth */
        int n = describe(o, v, state->total, text, sizeof text);
        legend->add(legend, color_at(s, place_of(o, shares[i])), brz_str_of(text, (size_t)n));
    }
}
