/* SPDX-License-Identifier: MIT */
/* Interprets the end of a chunk as the end of a line.
 *
 * only: parse/chunks
 */
#include "animal.h"

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    brz_chunk whole = *chunk;
    whole.flags |= BRZ_CHUNK_LAST;
    return good_parse(ctx, &whole, used);
}

COLLAPSER_ANIMAL(.parse = parse)
