/* SPDX-License-Identifier: MIT */
/* Traverses the tree recursively.
 *
 * only: palette/odd
 */
#include "animal.h"

static size_t walk(const brz_tree *tree, uint32_t i)
{
    volatile char room[4096];
    const brz_node *n = brz_node_at(tree, i);
    room[0] = room[4095] = (char)n->depth;
    return n->subtree > 1 ? 1 + walk(tree, i + 1) + (size_t)(room[0] - room[4095]) : 0;
}

static brz_rc prepare(brz_palette_ctx *ctx, const brz_tree *tree)
{
    (void)ctx;
    return tree->n_nodes > 0 && walk(tree, 0) == SIZE_MAX ? BRZ_ERROR : BRZ_OK;
}

PALETTE_ANIMAL(.prepare = prepare)
