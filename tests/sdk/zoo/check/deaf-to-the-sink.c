/* SPDX-License-Identifier: MIT */
/* Ignores the result of the sink.
 *
 * only: output/sink
 */
#include "animal.h"

static brz_rc write(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    good_write(ctx, tree, sink);
    return BRZ_OK;
}

OUTPUT_ANIMAL(.write = write)
