/* SPDX-License-Identifier: MIT */
/* Prints to standard output.
 *
 * only: contract
 */
#define LINE own_line
#include "animal.h"

#include <stdio.h>

static brz_rc own_line(brz_ctx *ctx, const char *p, const char *end)
{
    printf("a line of %zu bytes\n", (size_t)(end - p));
    return good_line(ctx, p, end);
}

COLLAPSER_ANIMAL(.flags = BRZ_SPLITTABLE)
