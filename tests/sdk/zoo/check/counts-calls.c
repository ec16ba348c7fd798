/* SPDX-License-Identifier: MIT */
/* Counts calls in a global variable.
 *
 * only: threads/globals
 */
#define LINE own_line
#include "animal.h"

static brz_rc own_line(brz_ctx *ctx, const char *p, const char *end)
{
    static unsigned long number_of_lines;
    number_of_lines++;
    return good_line(ctx, p, end);
}

COLLAPSER_ANIMAL(.flags = BRZ_SPLITTABLE)
