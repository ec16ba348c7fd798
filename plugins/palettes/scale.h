/* Palettes that are a scale: a frame's colour tells how much of something it is. */
#ifndef PALETTES_SCALE_H
#define PALETTES_SCALE_H

#include <brazier/plugin.h>

/* The colours of a scale, evenly spaced from nothing to all; between two of them it is straight. */
typedef struct scale {
    const uint32_t *colors;
    uint32_t n;
} scale;

typedef struct scale_options {
    int32_t by, steps;
    double low, high;
    bool reverse;
} scale_options;

/* What is found out about a picture. */
typedef struct scale_state {
    double largest; /* value of a frame; at least 1 */
} scale_state;

brz_rc scale_prepare(brz_ctx *ctx, const brz_tree *tree);
uint32_t scale_color(const brz_ctx *ctx, const brz_color_in *in, const scale *s);
void scale_legend(brz_ctx *ctx, const brz_tree *tree, brz_legend *legend, const scale *s);

extern const char *const scale_by_choices[], *const scale_steps_choices[];

#define SCALE_OPTION(name_, type_, member_, dflt_, help_, ...)                                     \
    {                                                                                              \
        .name = (name_), .type = (type_), .offset = offsetof(scale_options, member_),              \
        .dflt = (dflt_), .help = (help_), __VA_ARGS__                                              \
    }

/* The plug-in of a scale that `scale_` is; its darker end is left out up to `low_`, since names are
 * written over it in black. */
#define SCALE_PALETTE(id_, summary_, scale_, low_)                                                 \
    static uint32_t color(const brz_ctx *ctx, const brz_color_in *in)                              \
    {                                                                                              \
        return scale_color(ctx, in, &(scale_));                                                    \
    }                                                                                              \
    static void tell_legend(brz_ctx *ctx, const brz_tree *tree, brz_legend *legend)                \
    {                                                                                              \
        scale_legend(ctx, tree, legend, &(scale_));                                                \
    }                                                                                              \
    static const brz_option option_table[] = {                                                     \
        SCALE_OPTION("by", BRZ_OPTION_ENUM, by, "self",                                            \
                     "what it tells: the weight of a frame itself, with all it calls, its depth",  \
                     .choices = scale_by_choices),                                                 \
        SCALE_OPTION(                                                                              \
            "steps", BRZ_OPTION_ENUM, steps, "root",                                               \
            "how weights become colours: in proportion, by their roots, their logarithms",         \
            .choices = scale_steps_choices),                                                       \
        SCALE_OPTION("low", BRZ_OPTION_REAL, low, low_, "where on the scale nothing is",           \
                     .range = "0..1"),                                                             \
        SCALE_OPTION("high", BRZ_OPTION_REAL, high, "1", "where on the scale the most is",         \
                     .range = "0..1"),                                                             \
        SCALE_OPTION("reverse", BRZ_OPTION_BOOL, reverse, "false", "turn the scale around",        \
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
        .options = option_table,                                                                   \
        .n_options = BRZ_COUNT_OF(option_table),                                                   \
        .option_size = sizeof(brz_option),                                                         \
        .cfg_size = sizeof(scale_options),                                                         \
        .vtable = &palette,                                                                        \
    };                                                                                             \
    static const brz_component *const components[] = {&component, NULL};                           \
    BRZ_PLUGIN(id_, BRZ_SHIPPED_VERSION, "MIT", BRZ_SHIPPED_URL, components)

#endif
