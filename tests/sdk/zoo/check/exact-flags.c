/* SPDX-License-Identifier: MIT */
/* Interprets an unknown flag as the end of the input.
 *
 * only: forward
 */
#include "animal.h"

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    brz_chunk c = *chunk;
    c.flags |= chunk->flags > 7 ? BRZ_CHUNK_LAST : 0;
    return good_parse(ctx, &c, used);
}

COLLAPSER_ANIMAL(.parse = parse)
