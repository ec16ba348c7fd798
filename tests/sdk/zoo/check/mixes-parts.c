/* SPDX-License-Identifier: MIT */
/* Assumes that the parts of a tree have the size that they have in its headers.
 *
 * only: forward/strides
 */
#include "animal.h"

static brz_rc apply(brz_transform_ctx *ctx, const brz_tree *tree, brz_stack_edit *edit)
{
    const brz_part_info *parts = tree->parts;
    (void)ctx;
    for (uint32_t i = 0; i < tree->n_parts; i++)
        if (parts[i].tag->process < 0)
            edit->n = 0;
    return BRZ_OK;
}

TRANSFORM_ANIMAL(.apply = apply)
