/* SPDX-License-Identifier: MIT */
/* Fails on long lines without a message.
 *
 * only: robustness/long-line
 */
#include "animal.h"

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    if (chunk->len > 100000)
        return BRZ_ERROR;
    return good_parse(ctx, chunk, used);
}

COLLAPSER_ANIMAL(.parse = parse)
