/* SPDX-License-Identifier: MIT */
/* Interprets an unknown kind of frame as kernel.
 *
 * only: forward
 */
#include "animal.h"

static uint32_t color(const brz_palette_ctx *ctx, const brz_color_in *in)
{
    static const uint32_t colors[] = {BRZ_RGB(1, 1, 1), BRZ_RGB(2, 2, 2), BRZ_RGB(3, 3, 3),
                                      BRZ_RGB(4, 4, 4)};
    (void)ctx;
    return colors[in->frame->kind < 3 ? in->frame->kind : 3];
}

PALETTE_ANIMAL(.color = color, .depends = BRZ_ON_KIND)
