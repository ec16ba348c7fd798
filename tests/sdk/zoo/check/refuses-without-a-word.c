/* SPDX-License-Identifier: MIT */
/* Rejects empty trees without a message.
 *
 * only: output/odd
 */
#include "animal.h"

static brz_rc write(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    return tree->n_nodes < 2 ? BRZ_ERROR : good_write(ctx, tree, sink);
}

OUTPUT_ANIMAL(.write = write)
