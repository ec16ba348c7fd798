/* SPDX-License-Identifier: MIT */
/* Returns a frame that nobody has requested.
 *
 * only: transform/pure
 */
#include "animal.h"

static brz_rc apply(brz_transform_ctx *ctx, const brz_tree *tree, brz_stack_edit *edit)
{
    static const brz_frame frames[] = {1000000};
    (void)ctx;
    (void)tree;
    edit->frames = frames;
    edit->n = 1;
    return BRZ_OK;
}

TRANSFORM_ANIMAL(.apply = apply)
