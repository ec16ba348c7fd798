/* SPDX-License-Identifier: MIT */
/* Returns a different colour each time.
 *
 * only: palette/pure
 */
#include "animal.h"

static uint32_t color(const brz_palette_ctx *ctx, const brz_color_in *in)
{
    static unsigned asked;
    (void)ctx;
    (void)in;
    return BRZ_RGB(asked++ % 256, 0, 0);
}

PALETTE_ANIMAL(.color = color)
