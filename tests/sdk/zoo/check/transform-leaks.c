/* SPDX-License-Identifier: MIT */
/* Does not free what `open` has allocated.
 *
 * only: memory/leaks
 */
#include "animal.h"

#include <stdlib.h>

static brz_rc open_leaking(brz_transform_ctx *ctx, const brz_tree *tree)
{
    *(void *volatile *)ctx->inst = malloc(tree->n_frames + 1000);
    return BRZ_OK;
}

TRANSFORM_ANIMAL(.inst_size = sizeof(void *), .open = open_leaking)
