/* SPDX-License-Identifier: MIT */
/* Assumes that the elements of the node array have the size in its header.
 *
 * only: forward
 */
#include "animal.h"

static brz_rc write(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    brz_writer w;
    const brz_node *nodes = tree->nodes;
    brz_writer_init(&w, ctx, sink);
    for (uint32_t i = 0; i < tree->n_nodes; i++) {
        brz_put_text(&w, i == 0 ? "[" : ",");
        brz_put_i64(&w, nodes[i].total);
    }
    BRZ_PUT(&w, "]");
    return brz_writer_finish(&w);
}

OUTPUT_ANIMAL(.write = write)
