/* SPDX-License-Identifier: MIT */
/* A palette that allocates memory and has no `close`.
 *
 * only: memory
 */
#include "animal.h"

#include <stdlib.h>

static brz_rc prepare(brz_palette_ctx *ctx, const brz_tree *tree)
{
    *(void **)ctx->inst = malloc(tree->n_nodes + 1000);
    return BRZ_OK;
}

PALETTE_ANIMAL(.inst_size = sizeof(void *), .prepare = prepare)
