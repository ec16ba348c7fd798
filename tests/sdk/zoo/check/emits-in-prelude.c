/* SPDX-License-Identifier: MIT */
/* Interns a frame before there is an instance.
 *
 * only: parse/twice
 */
#include "animal.h"

static brz_rc prelude(brz_ctx *ctx, const brz_chunk *chunk, size_t *used, const void **prelude_data)
{
    ctx->host->intern(ctx, "main", 4);
    return good_prelude(ctx, chunk, used, prelude_data);
}

COLLAPSER_ANIMAL(.prelude = prelude)
