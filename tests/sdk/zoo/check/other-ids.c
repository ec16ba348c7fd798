/* SPDX-License-Identifier: MIT */
/* Uses a frame id that the host has not returned.
 *
 * only: parse/twice
 */
#define LINE own_line
#include "animal.h"

static brz_rc own_line(brz_ctx *ctx, const char *p, const char *end)
{
    brz_frame frame = 12345;
    (void)p;
    (void)end;
    return ctx->host->emit(ctx, &frame, 1, 1, 0);
}

COLLAPSER_ANIMAL(.flags = BRZ_SPLITTABLE)
