/* SPDX-License-Identifier: MIT */
/* Reads values without the flag that asks for them.
 *
 * only: transform/pure
 */
#include "animal.h"

static brz_rc apply(brz_transform_ctx *ctx, const brz_tree *tree, brz_stack_edit *edit)
{
    (void)ctx;
    (void)tree;
    if (edit->values[0] < 0)
        edit->n = 0;
    return BRZ_OK;
}

TRANSFORM_ANIMAL(.apply = apply)
