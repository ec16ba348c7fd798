/* SPDX-License-Identifier: MIT */
/* Requests the colour of a node beyond the last one.
 *
 * only: output/asked
 */
#include "animal.h"

static brz_rc write(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    ctx->host->color(ctx, tree, tree->n_nodes);
    return good_write(ctx, tree, sink);
}

OUTPUT_ANIMAL(.write = write, .flags = BRZ_OUTPUT_NODES | BRZ_OUTPUT_COLOR)
