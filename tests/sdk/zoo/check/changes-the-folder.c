/* SPDX-License-Identifier: MIT */
/* Changes the working directory.
 *
 * only: contract
 */
#define LINE own_line
#include "animal.h"

#include <unistd.h>

static brz_rc own_line(brz_ctx *ctx, const char *p, const char *end)
{
    if (chdir("/") != 0)
        return BRZ_OK;
    return good_line(ctx, p, end);
}

COLLAPSER_ANIMAL(.flags = BRZ_SPLITTABLE)
