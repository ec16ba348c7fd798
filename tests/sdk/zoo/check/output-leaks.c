/* SPDX-License-Identifier: MIT */
/* An output that allocates memory and does not release it in `close`.
 *
 * only: memory
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
    *(void **)ctx->inst = NULL;
}

OUTPUT_ANIMAL(.inst_size = sizeof(void *), .write = write, .close = close_output)
