/* SPDX-License-Identifier: MIT */
/* Ramps: sets of colours in which each of red, green and blue is a base plus a share of a range.
 * Most palettes use a single ramp, or choose one by a frame's name; the option `numbers` selects
 * the source of the shares. */
#ifndef PALETTES_RAMP_H
#define PALETTES_RAMP_H

#include <brazier/numbers.h>
#include <brazier/plugin.h>

typedef enum ramp {
    RAMP_HOT,
    RAMP_MEM,
    RAMP_IO,
    RAMP_RED,
    RAMP_GREEN,
    RAMP_BLUE,
    RAMP_YELLOW,
    RAMP_PURPLE,
    RAMP_AQUA,
    RAMP_ORANGE,
} ramp;

#define RAMP_COUNT 10

/* Sources of numbers. */
enum { NUMBERS_RANDOM, NUMBERS_HASH, NUMBERS_DETERMINISTIC, NUMBERS_SUM };

typedef struct ramp_options {
    int32_t numbers;
} ramp_options;

/* Options of palettes that use ramps. */
extern const brz_option ramp_option_table[];
#define RAMP_N_OPTIONS 1

/* Choices of the option `numbers`. */
extern const char *const ramp_numbers_choices[];

/* Returns the three numbers of a frame from the chosen source, which is not NUMBERS_SUM. */
brz_numbers ramp_numbers(int32_t source, const brz_color_in *in);

/* Returns the colour of a ramp for three numbers. */
uint32_t ramp_color(ramp r, const brz_numbers *n);

/* Stores the ramp of a name in *r. Returns false if the name is unknown. */
bool ramp_find(brz_str name, ramp *r);

/* Returns a frame's colour in a ramp, by the palette's options in ctx->cfg. */
uint32_t ramp_answer(const brz_palette_ctx *ctx, const brz_color_in *in, ramp r);

/* The same for a frame whose name counts as followed by `suffix` in the sum of its characters. */
uint32_t ramp_answer_with(const brz_palette_ctx *ctx, const brz_color_in *in, ramp r,
                          brz_str suffix);

/* Background gradients: top and bottom colour. */
#define BACKGROUND_YELLOW                                                                          \
    {                                                                                              \
        BRZ_RGB(0xee, 0xee, 0xee), BRZ_RGB(0xee, 0xee, 0xb0)                                       \
    }
#define BACKGROUND_BLUE                                                                            \
    {                                                                                              \
        BRZ_RGB(0xee, 0xee, 0xee), BRZ_RGB(0xe0, 0xe0, 0xff)                                       \
    }
#define BACKGROUND_GREEN                                                                           \
    {                                                                                              \
        BRZ_RGB(0xee, 0xf2, 0xee), BRZ_RGB(0xe0, 0xff, 0xe0)                                       \
    }
#define BACKGROUND_GREY                                                                            \
    {                                                                                              \
        BRZ_RGB(0xf8, 0xf8, 0xf8), BRZ_RGB(0xe8, 0xe8, 0xe8)                                       \
    }

/* Defines the plug-in of a palette of ramps. `choose_` is an expression that returns the ramp for
 * `frame`, of which it uses the parts `parts_`: BRZ_ON_NAME and others. */
#define RAMP_PLUGIN(id_, summary_, help_, parts_, choose_, ...)                                    \
    static uint32_t answer(const brz_palette_ctx *ctx, const brz_color_in *in)                     \
    {                                                                                              \
        const brz_frame_info *frame = in->frame;                                                   \
        (void)frame;                                                                               \
        return ramp_answer(ctx, in, choose_);                                                      \
    }                                                                                              \
    static const brz_palette palette = {                                                           \
        .struct_size = sizeof palette,                                                             \
        .depends = (parts_) | BRZ_ON_SEED,                                                         \
        .background = __VA_ARGS__,                                                                 \
        .color = answer,                                                                           \
    };                                                                                             \
    static const brz_component component = {                                                       \
        .struct_size = sizeof component,                                                           \
        .kind = BRZ_PALETTE,                                                                       \
        .id = (id_),                                                                               \
        .summary = (summary_),                                                                     \
        .help = (help_),                                                                           \
        .options = ramp_option_table,                                                              \
        .n_options = RAMP_N_OPTIONS,                                                               \
        .option_size = sizeof(brz_option),                                                         \
        .cfg_size = sizeof(ramp_options),                                                          \
        .vtable = &palette,                                                                        \
    };                                                                                             \
    static const brz_component *const components[] = {&component, NULL};                           \
    BRZ_PLUGIN(id_, BRZ_SHIPPED_VERSION, "MIT", BRZ_SHIPPED_URL, components)

/* Defines a palette with one ramp for all frames. */
#define RAMP_PALETTE(id_, summary_, ramp_, ...)                                                    \
    RAMP_PLUGIN(id_, summary_, NULL, BRZ_ON_NAME, ramp_, __VA_ARGS__)

/* Defines a palette that chooses a ramp by the frame's name; `choose_` is a function (brz_str) ->
 * ramp. */
#define NAMES_PALETTE(id_, summary_, help_, choose_, ...)                                          \
    RAMP_PLUGIN(id_, summary_, help_, BRZ_ON_NAME, choose_(frame->name), __VA_ARGS__)

/* The same by the frame's name and kind; `choose_` is a function (const brz_frame_info *) -> ramp.
 */
#define KINDS_PALETTE(id_, summary_, help_, choose_, ...)                                          \
    RAMP_PLUGIN(id_, summary_, help_, BRZ_ON_NAME | BRZ_ON_KIND, choose_(frame), __VA_ARGS__)

#endif
