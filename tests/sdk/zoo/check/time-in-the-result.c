/* SPDX-License-Identifier: MIT */
/* Has frame names that contain the time of day.
 *
 * only: parse/twice
 */
#define LINE own_line
#include "animal.h"

#include <stdio.h>
#include <time.h>

static brz_rc own_line(brz_ctx *ctx, const char *p, const char *end)
{
    char name[32];
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int n = snprintf(name, sizeof name, "9%09ld", now.tv_nsec);
    brz_frame frame = ctx->host->intern(ctx, name, (size_t)n);
    brz_rc rc = ctx->host->emit(ctx, &frame, 1, 1, 0);
    return rc == BRZ_OK ? good_line(ctx, p, end) : rc;
}

COLLAPSER_ANIMAL(.flags = BRZ_SPLITTABLE)
