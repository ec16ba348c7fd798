/* SPDX-License-Identifier: MIT */
/* Leaves a child process behind.
 *
 * only: contract
 */
#define LINE own_line
#include "animal.h"

#include <unistd.h>

static brz_rc own_line(brz_ctx *ctx, const char *p, const char *end)
{
    if (p < end && *p == 'm' && fork() == 0)
        for (;;)
            pause();
    return good_line(ctx, p, end);
}

COLLAPSER_ANIMAL(.flags = BRZ_SPLITTABLE)
