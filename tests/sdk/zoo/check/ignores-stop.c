/* SPDX-License-Identifier: MIT */
/* Ignores the result of emit.
 *
 * only: contract/stop
 */
#define LINE own_line
#include "animal.h"

static brz_rc own_line(brz_ctx *ctx, const char *p, const char *end)
{
    good_line(ctx, p, end);
    return BRZ_OK;
}

COLLAPSER_ANIMAL(.flags = BRZ_SPLITTABLE)
