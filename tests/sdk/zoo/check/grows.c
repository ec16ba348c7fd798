/* SPDX-License-Identifier: MIT */
/* Stores a copy of every line.
 *
 * only: memory
 */
#define LINE own_line
#include "animal.h"

static brz_rc own_line(brz_ctx *ctx, const char *p, const char *end)
{
    memcpy(ctx->host->alloc(ctx, (size_t)(end - p) + 16, 16), p, (size_t)(end - p));
    return good_line(ctx, p, end);
}

COLLAPSER_ANIMAL(.flags = BRZ_SPLITTABLE)
