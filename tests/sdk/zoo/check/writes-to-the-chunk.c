/* SPDX-License-Identifier: MIT */
/* Terminates lines with a NUL within the chunk.
 *
 * only: parse/twice
 */
#include "animal.h"

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    uint8_t *newline = memchr((void *)(uintptr_t)chunk->data, '\n', chunk->len);
    if (newline != NULL)
        *newline = '\0';
    return good_parse(ctx, chunk, used);
}

COLLAPSER_ANIMAL(.parse = parse)
