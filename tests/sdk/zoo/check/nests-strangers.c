/* SPDX-License-Identifier: MIT */
/* Says of each stack that it is nested with the one stored before it.
 *
 * only: parse/twice
 */
#define LINE own_line
#include "animal.h"

static brz_rc own_line(brz_ctx *ctx, const char *p, const char *end)
{
    const brz_frame **stored = ctx->inst;
    brz_frame frames[DEEPEST];
    const char *blank = memrchr(p, ' ', (size_t)(end - p));
    size_t n = split(ctx, p, blank == NULL ? end : blank, frames);
    const brz_count count = {.stack = ctx->host->stack(ctx, frames, n, BRZ_NESTED, stored),
                             .value = 1};
    return ctx->host->add(ctx, &count, 1, sizeof count);
}

COLLAPSER_ANIMAL(.inst_size = sizeof(const brz_frame *))
