/* SPDX-License-Identifier: MIT */
/* Changes the tree that it receives.
 *
 * only: output/twice
 */
#include "animal.h"

static brz_rc write(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    brz_node *nodes = (brz_node *)(uintptr_t)tree->nodes;
    if (tree->n_nodes > 1)
        nodes[1].self = 0;
    return good_write(ctx, tree, sink);
}

OUTPUT_ANIMAL(.write = write)
