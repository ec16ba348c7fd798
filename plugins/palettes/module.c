/* SPDX-License-Identifier: MIT */
/* Defines the palette "module": each module has its own colour, the same in every picture. Frames
 * without a module are left to the next palette of the chain. */
#include <brazier/plugin.h>

#include "frame_module.h"
#include "../common/shipped.h"
#include "group_legend.h"

/* Returns a colour channel of a hue, interpolated from `high` to `low` by the hue's distance from
 * `top`, the hue at which the channel is strongest. */
static uint32_t part_of(uint32_t hue, uint32_t top, uint32_t low, uint32_t high)
{
    uint32_t away = (hue + 360 - top) % 360;
    away = away > 180 ? 360 - away : away;
    if (away <= 60)
        return high;
    return away >= 120 ? low : high - (high - low) * (away - 60) / 60;
}

/* Returns the colour of a module: one of 24 hues in four tones, all light enough for black text. */
static uint32_t color_of(brz_str module)
{
    static const uint8_t tones[4][2] = {{96, 240}, {128, 250}, {80, 215}, {150, 235}};
    uint64_t h = group_hash(module);
    uint32_t hue = (uint32_t)(h % 24) * 15;
    const uint8_t *tone = tones[h / 24 % 4];
    return BRZ_RGB(part_of(hue, 0, tone[0], tone[1]), part_of(hue, 120, tone[0], tone[1]),
                   part_of(hue, 240, tone[0], tone[1]));
}

static uint32_t color(const brz_palette_ctx *ctx, const brz_color_in *in)
{
    (void)ctx;
    brz_str module = frame_module(in->frame);
    return module.len == 0 ? BRZ_COLOR_NONE : color_of(module);
}

static uint32_t legend_color(const brz_palette_ctx *ctx, brz_str module)
{
    (void)ctx;
    return color_of(module);
}

static brz_str module_of(const brz_palette_ctx *ctx, const brz_frame_info *f)
{
    (void)ctx;
    return frame_module(f);
}

static void tell_legend(brz_palette_ctx *ctx, const brz_tree *tree, brz_legend *legend)
{
    const group_table t = group_table_of(ctx, tree, module_of);
    group_legend(ctx, &t, legend, legend_color);
}

static const brz_palette palette = {
    .struct_size = sizeof palette,
    .depends = BRZ_ON_NAME | BRZ_ON_MODULE,
    .background = {BRZ_RGB(0xf8, 0xf8, 0xf8), BRZ_RGB(0xe8, 0xe8, 0xe8)},
    .color = color,
    .legend = tell_legend,
};

SHIPPED_PLUGIN("module", BRZ_PALETTE, &palette,
               .summary = "a colour for each module, the same in every picture",
               .help = "The module comes from the collapser, or is the part of a name before `, or "
                       "its namespace, class or "
                       "crate.")
