/* SPDX-License-Identifier: MIT */
/* Stores in `prelude` what `parse` needs, in the instance rather than in `prelude_data`.
 *
 * only: parse/golden
 */
#include "animal.h"

static brz_rc prelude(brz_ctx *ctx, const brz_chunk *chunk, size_t *used, const void **prelude_data)
{
    brz_rc rc = good_prelude(ctx, chunk, used, prelude_data);
    *(bool *)ctx->inst = *used > 0;
    return rc;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    *used = chunk->len;
    return *(bool *)ctx->inst ? good_parse(ctx, chunk, used) : BRZ_OK;
}

COLLAPSER_ANIMAL(.inst_size = sizeof(bool), .prelude = prelude, .parse = parse)
