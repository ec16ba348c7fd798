/* Defines the palette "diff": heavier frames are red, lighter ones blue, in stronger shades for
 * larger differences; or orange and blue for readers who cannot see red.
 *
 * It colours only comparisons; in front of other palettes it leaves all other pictures to them.
 */
#include <brazier/plugin.h>

#include "../common/shipped.h"

enum { COLORS_RED_BLUE, COLORS_ORANGE_BLUE, COLORS_RED_WHITE_BLUE };

typedef struct options {
    int32_t colors;
} options;

typedef struct diff {
    int64_t largest; /* largest absolute difference of the picture; at least 1 */
} diff;

static int64_t magnitude(int64_t v)
{
    return v == INT64_MIN ? INT64_MAX : v < 0 ? -v : v;
}

static brz_rc prepare(brz_palette_ctx *ctx, const brz_tree *tree)
{
    diff *d = ctx->inst;
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

static uint32_t color_of(const options *o, int64_t delta, int64_t largest)
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
    return color_of(ctx->cfg, brz_delta(in->tree, number_of(in)), d->largest);
}

static void tell_legend(brz_palette_ctx *ctx, const brz_tree *tree, brz_legend *legend)
{
    if (tree->changes == NULL)
        return;
    bool is_signed = tree->before == BRZ_NO_COLUMN; /* otherwise a comparison */
    legend->add(legend, color_of(ctx->cfg, 1, 1),
                is_signed ? BRZ_STR("gains") : BRZ_STR("heavier"));
    legend->add(legend, color_of(ctx->cfg, 0, 1),
                is_signed ? BRZ_STR("as many losses") : BRZ_STR("as before"));
    legend->add(legend, color_of(ctx->cfg, -1, 1),
                is_signed ? BRZ_STR("losses") : BRZ_STR("lighter"));
}

static const char *const colors_choices[] = {"red-blue", "orange-blue", "red-white-blue", NULL};

static const brz_option option_table[] = {
    BRZ_OPTION(options, "colors", ENUM, colors, "red-blue",
               "colours of heavier and lighter frames; orange-blue is colour-blind safe, "
               "red-white-blue is FlameGraph's",
               .choices = colors_choices),
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
