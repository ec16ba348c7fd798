/* SPDX-License-Identifier: MIT */
/* Defines the palette "diffusion": red, paler for narrower frames. (The pipeline's option of that
 * name applies the same fading to any other palette.) */
#include <brazier/plugin.h>

#include <math.h>

#include "../common/shipped.h"

#define STEPS 2000 /* number of shades */

static uint32_t color(const brz_palette_ctx *ctx, const brz_color_in *in)
{
    (void)ctx;
    double total = (double)brz_node_at(in->tree, 0)->total;
    double share = total > 0 && in->node->total > 0 ? (double)in->node->total / total : 0;
    uint32_t step = (uint32_t)(sqrt(share < 1 ? share : 1) * STEPS);
    uint32_t pale = 100 + 150 * (STEPS - step) / STEPS;
    return step == 0 ? BRZ_RGB(250, 250, 250) : BRZ_RGB(255, pale, pale);
}

static const brz_palette palette = {
    .struct_size = sizeof palette,
    .depends = BRZ_ON_VALUE,
    .background = {BRZ_RGB(0xee, 0xee, 0xee), BRZ_RGB(0xee, 0xee, 0xb0)},
    .color = color,
};

SHIPPED_PLUGIN("diffusion", BRZ_PALETTE, &palette, .summary = "red, paler for narrower frames")
