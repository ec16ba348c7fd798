/* SPDX-License-Identifier: MIT */
/* Changes the rounding mode.
 *
 * only: contract
 * flags: -Wl,--no-as-needed -lm
 */
#define LINE own_line
#include "animal.h"

#include <fenv.h>

static brz_rc own_line(brz_ctx *ctx, const char *p, const char *end)
{
    fesetround(FE_DOWNWARD);
    return good_line(ctx, p, end);
}

COLLAPSER_ANIMAL(.flags = BRZ_SPLITTABLE)
