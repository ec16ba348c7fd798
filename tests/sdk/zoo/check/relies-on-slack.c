/* SPDX-License-Identifier: MIT */
/* Reads a number until it finds no digit, beyond the end of the chunk.
 *
 * only: parse/slack
 */
#define LINE own_line
#include "animal.h"

static brz_rc own_line(brz_ctx *ctx, const char *p, const char *end)
{
    brz_frame frames[DEEPEST];
    int64_t count = 0;
    const char *blank = memrchr(p, ' ', (size_t)(end - p));
    if (blank == NULL || blank == p)
        return good_line(ctx, p, end);
    for (const char *at = blank + 1; *at >= '0' && *at <= '9' && count < 1000000; at++)
        count = count * 10 + (*at - '0');
    return ctx->host->emit(ctx, frames, split(ctx, p, blank, frames), count, 0);
}

COLLAPSER_ANIMAL(.flags = BRZ_SPLITTABLE)
