/* SPDX-License-Identifier: MIT */
/* Looks for a newline far past the chunk.
 *
 * only: parse/twice
 */
#include "animal.h"

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    volatile uint8_t sum = 0;
    for (size_t i = 0; i < chunk->len + 100; i++)
        sum = (uint8_t)(sum + chunk->data[i]);
    return good_parse(ctx, chunk, used);
}

COLLAPSER_ANIMAL(.parse = parse)
