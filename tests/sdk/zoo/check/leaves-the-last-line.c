/* SPDX-License-Identifier: MIT */
/* Waits for the newline of the last line.
 *
 * only: parse/last
 */
#include "animal.h"

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    brz_chunk more = *chunk;
    more.flags &= ~BRZ_CHUNK_LAST;
    return good_parse(ctx, &more, used);
}

COLLAPSER_ANIMAL(.parse = parse)
