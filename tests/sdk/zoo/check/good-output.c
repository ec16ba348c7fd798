/* SPDX-License-Identifier: MIT */
/* A valid output, which releases its own memory in `close`.
 *
 * only: all
 */
#include "animal.h"

#include <stdlib.h>

static brz_rc write(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    *(void **)ctx->inst = malloc(tree->n_nodes + 1000);
    return good_write(ctx, tree, sink);
}

static void close_output(brz_output_ctx *ctx)
{
    free(*(void **)ctx->inst);
}

OUTPUT_ANIMAL(.inst_size = sizeof(void *), .write = write, .close = close_output)
