/* SPDX-License-Identifier: MIT */
/* Ends the program at an invalid line.
 *
 * only: robustness/foreign
 */
#define LINE own_line
#include "animal.h"

#include <stdlib.h>

static brz_rc own_line(brz_ctx *ctx, const char *p, const char *end)
{
    if (p < end && memrchr(p, ' ', (size_t)(end - p)) == NULL)
        exit(0);
    return good_line(ctx, p, end);
}

COLLAPSER_ANIMAL(.flags = BRZ_SPLITTABLE)
