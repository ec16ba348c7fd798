/* SPDX-License-Identifier: MIT */
/* Loops forever on a line with a run of spaces.
 *
 * only: robustness
 * limit: 10
 */
#define LINE own_line
#include "animal.h"

#include <unistd.h>

static brz_rc own_line(brz_ctx *ctx, const char *p, const char *end)
{
    volatile int forever = 1; /* without it, a compiler may assume that the loop ends */
    while (memmem(p, (size_t)(end - p), "    ", 4) != NULL && forever)
        usleep(1000); /* leaves the processor to others */
    return good_line(ctx, p, end);
}

COLLAPSER_ANIMAL(.flags = BRZ_SPLITTABLE)
