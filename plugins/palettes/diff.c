/* SPDX-License-Identifier: MIT */
/* Defines the palette "diff": heavier frames are red, lighter ones blue, in stronger shades for
 * larger differences; or orange and blue for readers who cannot see red.
 *
 * Gains and losses have scales of their own, which follow the distribution of changes without that
 * of the root: they reach the strongest shade at a large change of the picture, not at the largest.
 * Shades grow with the square root of a change, and a change by NOTABLE of the picture always has a
 * shade of at least NOTABLE_SHADE, whose contrast with unchanged frames is 1.5 or more. The page of
 * the output "html" computes the same scale in viewer/changes.js; a test compares the two.
 *
 * The linear scale and the colours "red-white-blue" are those of other tools.
 *
 * It colours only comparisons; in front of other palettes it leaves all other pictures to them.
 */
#include <brazier/plugin.h>

#include <math.h>
#include <stdlib.h>

#include "../common/shipped.h"

enum { COLORS_RED_BLUE, COLORS_ORANGE_BLUE, COLORS_RED_WHITE_BLUE };

enum { SCALE_SPREAD, SCALE_LINEAR };

typedef struct options {
    int32_t colors, scale;
} options;

#define NOISE         0.001 /* share of the picture: smaller changes do not count for a scale */
#define LARGE         0.9   /* quantile of changes that gets the strongest shade */
#define NOTABLE       0.05  /* share of the picture */
#define NOTABLE_SHADE 0.4   /* from 0, the palest, to 1 */

typedef struct diff {
    int64_t largest;      /* largest absolute difference of the picture; at least 1 */
    double whole;         /* weight of the picture; at least 1 */
    double full_of_gains; /* changes with the strongest shade; at least 1 */
    double full_of_losses;
} diff;

static int64_t magnitude(int64_t v)
{
    return v == INT64_MIN ? INT64_MAX : v < 0 ? -v : v;
}

static int compare_sizes(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Returns the change with the strongest shade: a large one among those of one sign. */
static double full_of(brz_palette_ctx *ctx, const brz_tree *tree, double whole, bool is_gain)
{
    double *sizes = ctx->host->alloc(ctx, tree->n_nodes * sizeof *sizes, 0), largest = 1;
    size_t n = 0;
    for (uint32_t i = 1; i < tree->n_nodes; i++) {
        int64_t change = brz_delta(tree, i);
        double size = (double)magnitude(change);
        if (change == 0 || (change > 0) != is_gain)
            continue;
        largest = size > largest ? size : largest;
        if (size >= NOISE * whole)
            sizes[n++] = size;
    }
    if (n == 0)
        return largest;
    qsort(sizes, n, sizeof *sizes, compare_sizes);
    return sizes[(size_t)ceil(LARGE * (double)(n - 1))];
}

static void make_scale(brz_palette_ctx *ctx, const brz_tree *tree)
{
    diff *d = ctx->inst;
    d->whole = d->full_of_gains = d->full_of_losses = 1;
    if (tree->changes == NULL || tree->n_nodes == 0)
        return;
    d->whole = fmax(1, (double)brz_node_at(tree, 0)->total);
    d->full_of_gains = full_of(ctx, tree, d->whole, true);
    d->full_of_losses = full_of(ctx, tree, d->whole, false);
}

static brz_rc prepare(brz_palette_ctx *ctx, const brz_tree *tree)
{
    diff *d = ctx->inst;
    make_scale(ctx, tree);
    d->largest = 1;
    for (uint32_t i = 0; i < tree->n_nodes && tree->changes != NULL; i++) {
        int64_t v = magnitude(brz_delta(tree, i));
        d->largest = v > d->largest ? v : d->largest;
    }
    return BRZ_OK;
}

/* Returns range * (largest - v) / largest, rounded down: `range` for no difference, 0 for the
 * largest. */
static uint32_t rest_of(uint32_t range, int64_t v, int64_t largest)
{
    if (largest > INT64_MAX / 256) {
        v /= 256;
        largest /= 256;
    }
    return (uint32_t)((int64_t)range * (largest - v) / largest);
}

/* Returns a shade of red or blue: `darkest` for the largest difference, `range` more for none. */
static uint32_t red_or_blue(int64_t delta, int64_t largest, uint32_t darkest, uint32_t range)
{
    uint32_t pale = darkest + rest_of(range, magnitude(delta), largest);
    return delta > 0 ? BRZ_RGB(255, pale, pale) : BRZ_RGB(pale, pale, 255);
}

/* Returns a shade of orange or blue: the hues are easy to distinguish and equally light. */
static uint32_t orange_or_blue(int64_t delta, int64_t largest)
{
    int64_t v = magnitude(delta);
    if (delta > 0)
        return BRZ_RGB(240 + rest_of(10, v, largest), 130 + rest_of(120, v, largest),
                       20 + rest_of(230, v, largest));
    return BRZ_RGB(70 + rest_of(180, v, largest), 150 + rest_of(100, v, largest),
                   235 + rest_of(15, v, largest));
}

static uint32_t linear_color(const options *o, int64_t delta, int64_t largest)
{
    if (delta == 0)
        return o->colors == COLORS_RED_WHITE_BLUE ? BRZ_RGB(255, 255, 255) : BRZ_RGB(250, 250, 250);
    switch (o->colors) {
    case COLORS_ORANGE_BLUE:
        return orange_or_blue(delta, largest);
    case COLORS_RED_WHITE_BLUE:
        return red_or_blue(delta, largest, 0, 210);
    default:
        return red_or_blue(delta, largest, 100, 150);
    }
}

/* Returns the shade of a change, from 0 to 1. */
static double shade_of(const diff *d, int64_t delta)
{
    double size = (double)magnitude(delta), full = delta > 0 ? d->full_of_gains : d->full_of_losses;
    double usual = sqrt(fmin(1, size / full));
    return fmax(usual, NOTABLE_SHADE * sqrt(fmin(1, size / (NOTABLE * d->whole))));
}

/* Returns the colour between the palest and the strongest one of a scale. */
static uint32_t shaded(const uint8_t pale[3], const uint8_t strong[3], double shade)
{
    uint32_t rgb[3];
    for (int i = 0; i < 3; i++)
        rgb[i] = (uint32_t)(pale[i] + (strong[i] - pale[i]) * shade + 0.5);
    return BRZ_RGB(rgb[0], rgb[1], rgb[2]);
}

static uint32_t spread_color(const options *o, int64_t delta, double shade)
{
    static const uint8_t red[2][3] = {{255, 205, 205}, {255, 70, 70}};
    static const uint8_t blue[2][3] = {{205, 205, 255}, {70, 70, 255}};
    static const uint8_t orange[2][3] = {{252, 215, 180}, {220, 95, 0}};
    static const uint8_t other_blue[2][3] = {{205, 222, 245}, {40, 115, 215}};
    bool is_orange = o->colors == COLORS_ORANGE_BLUE;
    const uint8_t(*gains)[3] = is_orange ? orange : red;
    const uint8_t(*losses)[3] = is_orange ? other_blue : blue;
    if (delta == 0)
        return BRZ_RGB(224, 224, 224);
    return delta > 0 ? shaded(gains[0], gains[1], shade) : shaded(losses[0], losses[1], shade);
}

static bool is_linear(const options *o)
{
    return o->scale == SCALE_LINEAR || o->colors == COLORS_RED_WHITE_BLUE;
}

static uint32_t color_of(const options *o, const diff *d, int64_t delta)
{
    return is_linear(o) ? linear_color(o, delta, d->largest)
                        : spread_color(o, delta, shade_of(d, delta));
}

/* Returns the strongest colour of a sign; 0 stands for no change. */
static uint32_t strongest(const options *o, int64_t sign)
{
    return is_linear(o) ? linear_color(o, sign, 1) : spread_color(o, sign, 1);
}

static uint32_t number_of(const brz_color_in *in)
{
    const char *first = in->tree->nodes;
    return (uint32_t)((size_t)((const char *)in->node - first) / in->tree->node_size);
}

static uint32_t color(const brz_palette_ctx *ctx, const brz_color_in *in)
{
    const diff *d = ctx->inst;
    if (in->tree->changes == NULL)
        return BRZ_COLOR_NONE;
    return color_of(ctx->cfg, d, brz_delta(in->tree, number_of(in)));
}

static void tell_legend(brz_palette_ctx *ctx, const brz_tree *tree, brz_legend *legend)
{
    if (tree->changes == NULL)
        return;
    bool is_signed = tree->before == BRZ_NO_COLUMN; /* otherwise a comparison */
    legend->add(legend, strongest(ctx->cfg, 1), is_signed ? BRZ_STR("gains") : BRZ_STR("heavier"));
    legend->add(legend, strongest(ctx->cfg, 0),
                is_signed ? BRZ_STR("as many losses") : BRZ_STR("as before"));
    legend->add(legend, strongest(ctx->cfg, -1),
                is_signed ? BRZ_STR("losses") : BRZ_STR("lighter"));
}

static const char *const colors_choices[] = {"red-blue", "orange-blue", "red-white-blue", NULL};

static const char *const scales[] = {"spread", "linear", NULL};

static const brz_option option_table[] = {
    BRZ_OPTION(options, "colors", ENUM, colors, "red-blue",
               "colours of heavier and lighter frames; orange-blue is colour-blind safe, "
               "red-white-blue is FlameGraph's",
               .choices = colors_choices),
    BRZ_OPTION(options, "scale", ENUM, scale, "spread",
               "spread: by the distribution of changes; linear: up to the largest change, as other "
               "tools do, and always with red-white-blue",
               .choices = scales),
};

static const brz_palette palette = {
    .struct_size = sizeof palette,
    .depends = BRZ_ON_VALUE,
    .inst_size = sizeof(diff),
    .prepare = prepare,
    .color = color,
    .legend = tell_legend,
};

SHIPPED_PLUGIN("diff", BRZ_PALETTE, &palette,
               .summary = "comparisons: red for heavier frames, blue for lighter ones",
               BRZ_OPTIONS(option_table, options))
