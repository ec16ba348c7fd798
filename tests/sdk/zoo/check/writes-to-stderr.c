/* SPDX-License-Identifier: MIT */
/* Prints to standard error.
 *
 * only: contract
 */
#define LINE own_line
#include "animal.h"

#include <unistd.h>

static brz_rc own_line(brz_ctx *ctx, const char *p, const char *end)
{
    if (p == end && write(2, "an empty line\n", 14) < 0)
        return BRZ_OK;
    return good_line(ctx, p, end);
}

COLLAPSER_ANIMAL(.flags = BRZ_SPLITTABLE)
