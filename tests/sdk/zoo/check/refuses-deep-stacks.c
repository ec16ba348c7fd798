/* SPDX-License-Identifier: MIT */
/* Refuses stacks of more than a thousand frames.
 *
 * only: transform/odd
 */
#include "animal.h"

static brz_rc apply(brz_transform_ctx *ctx, const brz_tree *tree, brz_stack_edit *edit)
{
    (void)ctx;
    (void)tree;
    return edit->n > 1000 ? BRZ_ERROR : BRZ_OK;
}

TRANSFORM_ANIMAL(.apply = apply)
