/* SPDX-License-Identifier: MIT */
/* Expects the struct of its own minor version.
 *
 * only: forward
 */
#include "animal.h"

static brz_rc apply(brz_transform_ctx *ctx, const brz_tree *tree, brz_stack_edit *edit)
{
    (void)ctx;
    (void)tree;
    if (edit->struct_size != sizeof *edit)
        edit->n = 0;
    return BRZ_OK;
}

TRANSFORM_ANIMAL(.apply = apply)
