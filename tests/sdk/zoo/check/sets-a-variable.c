/* SPDX-License-Identifier: MIT */
/* Sets an environment variable.
 *
 * only: contract
 */
#define LINE own_line
#include "animal.h"

#include <stdlib.h>

static brz_rc own_line(brz_ctx *ctx, const char *p, const char *end)
{
    setenv("ZOO", "was here", 1);
    return good_line(ctx, p, end);
}

COLLAPSER_ANIMAL(.flags = BRZ_SPLITTABLE)
