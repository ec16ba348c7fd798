/* SPDX-License-Identifier: MIT */
/* Leaves out the first stack that an instance gets.
 *
 * only: transform/pure
 */
#include "animal.h"

static brz_rc apply(brz_transform_ctx *ctx, const brz_tree *tree, brz_stack_edit *edit)
{
    uint64_t *n = ctx->inst;
    (void)tree;
    if ((*n)++ == 0)
        edit->n = 0;
    return BRZ_OK;
}

TRANSFORM_ANIMAL(.inst_size = sizeof(uint64_t), .apply = apply)
