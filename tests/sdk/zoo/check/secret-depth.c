/* SPDX-License-Identifier: MIT */
/* Has colours that depend on depth without declaring it.
 *
 * only: palette
 */
#include "animal.h"

static uint32_t color(const brz_palette_ctx *ctx, const brz_color_in *in)
{
    (void)ctx;
    return BRZ_RGB(200, in->node->depth % 256, 0);
}

PALETTE_ANIMAL(.color = color)
