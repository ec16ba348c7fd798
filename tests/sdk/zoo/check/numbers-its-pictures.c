/* SPDX-License-Identifier: MIT */
/* Numbers its pictures in a global counter.
 *
 * only: output/twice
 */
#include "animal.h"

static brz_rc write(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    brz_writer w;
    static unsigned pictures;
    (void)tree;
    brz_writer_init(&w, ctx, sink);
    BRZ_PUT(&w, "\"picture ");
    brz_put_u64(&w, ++pictures);
    BRZ_PUT(&w, "\"");
    return brz_writer_finish(&w);
}

OUTPUT_ANIMAL(.write = write)
