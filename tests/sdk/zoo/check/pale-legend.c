/* SPDX-License-Identifier: MIT */
/* Adds a transparent colour to the legend.
 *
 * only: palette/legend
 */
#include "animal.h"

static void legend(brz_palette_ctx *ctx, const brz_tree *tree, brz_legend *l)
{
    (void)ctx;
    (void)tree;
    l->add(l, 0x12345600u, BRZ_STR("invisible"));
}

PALETTE_ANIMAL(.legend = legend)
