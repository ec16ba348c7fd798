/* SPDX-License-Identifier: MIT */
/* Writes names without escaping.
 *
 * only: output
 */
#include "animal.h"

static brz_rc write(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    brz_writer w;
    brz_writer_init(&w, ctx, sink);
    for (uint32_t i = 0; i < tree->n_nodes; i++) {
        brz_put_text(&w, i == 0 ? "[\"" : ",\"");
        brz_put_str(&w, brz_frame_at(tree, brz_node_at(tree, i)->frame)->name);
        BRZ_PUT(&w, "\"");
    }
    BRZ_PUT(&w, "]");
    return brz_writer_finish(&w);
}

OUTPUT_ANIMAL(.write = write)
