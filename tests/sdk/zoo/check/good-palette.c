/* SPDX-License-Identifier: MIT */
/* A valid palette, which releases its own memory in `close`.
 *
 * only: all
 */
#include "animal.h"

#include <stdlib.h>

static brz_rc prepare(brz_palette_ctx *ctx, const brz_tree *tree)
{
    *(void **)ctx->inst = malloc(tree->n_nodes + 1000);
    return BRZ_OK;
}

static void close_palette(brz_palette_ctx *ctx)
{
    free(*(void **)ctx->inst);
}

PALETTE_ANIMAL(.inst_size = sizeof(void *), .prepare = prepare, .close = close_palette)
