/* SPDX-License-Identifier: MIT */
/* Palettes that form a scale: the colour of a frame shows the value of a numeric property. */
#ifndef PALETTES_SCALE_H
#define PALETTES_SCALE_H

#include <brazier/plugin.h>

/* Colours of a scale, evenly spaced from nothing to the largest value; colours in between are
 * interpolated linearly. */
typedef struct scale {
    const uint32_t *colors;
    uint32_t n;
} scale;

typedef struct scale_options {
    int32_t by, steps;
    double low, high;
    bool reverse;
} scale_options;

/* Properties of a picture, computed before it is drawn. */
typedef struct scale_state {
    double largest; /* largest value of a frame; at least 1 */
    double total;   /* total weight of the picture */
} scale_state;

brz_rc scale_prepare(brz_palette_ctx *ctx, const brz_tree *tree);
uint32_t scale_color(const brz_palette_ctx *ctx, const brz_color_in *in, const scale *s);

/* Adds the colours and values of the picture that was prepared, whatever tree the legend is for:
 * its frames have these colours in other weights, too. */
void scale_legend(brz_palette_ctx *ctx, brz_legend *legend, const scale *s);

extern const char *const scale_by_choices[], *const scale_steps_choices[];

#define SCALE_OPTION(name_, type_, member_, dflt_, help_, ...)                                     \
    {                                                                                              \
        .name = (name_), .type = (type_), .offset = offsetof(scale_options, member_),              \
        .dflt = (dflt_), .help = (help_), __VA_ARGS__                                              \
    }

/* Defines the plug-in of the palette with the scale `scale_`. The scale is used from `low_` on:
 * names are written in black, which needs light colours. */
#define SCALE_PALETTE(id_, summary_, scale_, low_)                                                 \
    static uint32_t color(const brz_palette_ctx *ctx, const brz_color_in *in)                      \
    {                                                                                              \
        return scale_color(ctx, in, &(scale_));                                                    \
    }                                                                                              \
    static void tell_legend(brz_palette_ctx *ctx, const brz_tree *tree, brz_legend *legend)        \
    {                                                                                              \
        (void)tree;                                                                                \
        scale_legend(ctx, legend, &(scale_));                                                      \
    }                                                                                              \
    static const brz_option option_table[] = {                                                     \
        SCALE_OPTION("by", BRZ_OPTION_ENUM, by, "self",                                            \
                     "property shown: self weight, total weight or depth",                         \
                     .choices = scale_by_choices),                                                 \
        SCALE_OPTION("steps", BRZ_OPTION_ENUM, steps, "root",                                      \
                     "mapping from weights to colours: linear, by square root or logarithm",       \
                     .choices = scale_steps_choices),                                              \
        SCALE_OPTION("low", BRZ_OPTION_REAL, low, low_, "position of 0 on the scale",              \
                     .range = "0..1"),                                                             \
        SCALE_OPTION("high", BRZ_OPTION_REAL, high, "1", "position of the maximum on the scale",   \
                     .range = "0..1"),                                                             \
        SCALE_OPTION("reverse", BRZ_OPTION_BOOL, reverse, "false", "reverse the scale",            \
                     .range = NULL),                                                               \
    };                                                                                             \
    static const brz_palette palette = {                                                           \
        .struct_size = sizeof palette,                                                             \
        .depends = BRZ_ON_VALUE | BRZ_ON_DEPTH,                                                    \
        .inst_size = sizeof(scale_state),                                                          \
        .background = {BRZ_RGB(0xf8, 0xf8, 0xf8), BRZ_RGB(0xe8, 0xe8, 0xe8)},                      \
        .prepare = scale_prepare,                                                                  \
        .color = color,                                                                            \
        .legend = tell_legend,                                                                     \
    };                                                                                             \
    static const brz_component component = {                                                       \
        .struct_size = sizeof component,                                                           \
        .kind = BRZ_PALETTE,                                                                       \
        .id = (id_),                                                                               \
        .summary = (summary_),                                                                     \
        BRZ_OPTIONS(option_table, scale_options),                                                  \
        .vtable = &palette,                                                                        \
    };                                                                                             \
    static const brz_component *const components[] = {&component, NULL};                           \
    BRZ_PLUGIN(id_, BRZ_SHIPPED_VERSION, "MIT", BRZ_SHIPPED_URL, components)

#endif
