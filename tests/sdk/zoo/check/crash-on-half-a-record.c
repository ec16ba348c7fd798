/* SPDX-License-Identifier: MIT */
/* Assumes that every line has a count.
 *
 * only: robustness/truncated
 */
#define LINE own_line
#include "animal.h"

static brz_rc own_line(brz_ctx *ctx, const char *p, const char *end)
{
    const char *blank = memrchr(p, ' ', (size_t)(end - p));
    if (p == end)
        return BRZ_OK;
    volatile char count = blank[1];
    (void)count;
    return good_line(ctx, p, end);
}

COLLAPSER_ANIMAL(.flags = BRZ_SPLITTABLE)
