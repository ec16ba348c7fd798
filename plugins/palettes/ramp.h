/* Palettes in which each of red, green and blue is a base plus a share of a range: what they have
 * in common is where the share comes from. */
#ifndef PALETTES_RAMP_H
#define PALETTES_RAMP_H

#include <brazier/numbers.h>
#include <brazier/plugin.h>

/* Where numbers come from. */
enum { NUMBERS_RANDOM, NUMBERS_HASH, NUMBERS_DETERMINISTIC };

typedef struct ramp_options {
    int32_t numbers;
} ramp_options;

/* The options of such a palette. */
extern const brz_option ramp_option_table[];
#define RAMP_N_OPTIONS 1

/* The three numbers of a frame. */
brz_numbers ramp_numbers(const brz_ctx *ctx, const brz_color_in *in);

#define BACKGROUND_YELLOW BRZ_RGB(0xee, 0xee, 0xb0)
#define BACKGROUND_BLUE   BRZ_RGB(0xe0, 0xe0, 0xff)
#define BACKGROUND_GREEN  BRZ_RGB(0xe0, 0xff, 0xe0)
#define BACKGROUND_GREY   BRZ_RGB(0xe8, 0xe8, 0xe8)

/* base + floor(range * v) */
static inline uint32_t ramp_part(uint32_t base, uint32_t range, float v)
{
    return base + (uint32_t)((float)range * v);
}

/* The plug-in of a ramp palette, which differs from the others in its name and its colours:
 * `color_` is a function (const brz_numbers *) -> colour. Behind it, light grey runs into
 * `background_`. */
#define RAMP_PALETTE(id_, summary_, background_, color_)                                           \
    static uint32_t ramp_color(const brz_ctx *ctx, const brz_color_in *in)                         \
    {                                                                                              \
        brz_numbers numbers = ramp_numbers(ctx, in);                                               \
        return color_(&numbers);                                                                   \
    }                                                                                              \
    static const brz_palette ramp_palette = {                                                      \
        .struct_size = sizeof ramp_palette,                                                        \
        .depends = BRZ_ON_NAME | BRZ_ON_SEED,                                                      \
        .background = {BRZ_RGB(0xee, 0xee, 0xee), background_},                                    \
        .color = ramp_color,                                                                       \
    };                                                                                             \
    static const brz_component ramp_component = {                                                  \
        .struct_size = sizeof ramp_component,                                                      \
        .kind = BRZ_PALETTE,                                                                       \
        .id = (id_),                                                                               \
        .summary = (summary_),                                                                     \
        .options = ramp_option_table,                                                              \
        .n_options = RAMP_N_OPTIONS,                                                               \
        .option_size = sizeof(brz_option),                                                         \
        .cfg_size = sizeof(ramp_options),                                                          \
        .vtable = &ramp_palette,                                                                   \
    };                                                                                             \
    static const brz_component *const ramp_components[] = {&ramp_component, NULL};                 \
    BRZ_PLUGIN(id_, BRZ_SHIPPED_VERSION, "MIT", BRZ_SHIPPED_URL, ramp_components)

#endif
