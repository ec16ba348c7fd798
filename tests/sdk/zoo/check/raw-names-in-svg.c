/* SPDX-License-Identifier: MIT */
/* Writes names without escaping.
 *
 * only: output/well-formed
 */
#include "animal.h"

static brz_rc write(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    brz_writer w;
    brz_writer_init(&w, ctx, sink);
    BRZ_PUT(&w, "<svg xmlns=\"http://www.w3.org/2000/svg\">");
    for (uint32_t i = 0; i < tree->n_nodes; i++) {
        BRZ_PUT(&w, "<text>");
        brz_put_str(&w, brz_frame_at(tree, brz_node_at(tree, i)->frame)->name);
        BRZ_PUT(&w, "</text>");
    }
    BRZ_PUT(&w, "</svg>");
    return brz_writer_finish(&w);
}

OUTPUT_ANIMAL(.write = write, .media_type = "image/svg+xml")
