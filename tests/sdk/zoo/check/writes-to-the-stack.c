/* SPDX-License-Identifier: MIT */
/* Changes the host's array of frames in place of the pointer to it.
 *
 * only: transform/pure
 */
#include "animal.h"

static brz_rc apply(brz_transform_ctx *ctx, const brz_tree *tree, brz_stack_edit *edit)
{
    (void)ctx;
    (void)tree;
    if (edit->n > 1)
        ((brz_frame *)(uintptr_t)edit->frames)[0] = edit->frames[1];
    return BRZ_OK;
}

TRANSFORM_ANIMAL(.apply = apply)
