/* SPDX-License-Identifier: MIT */
/* Installs a signal handler.
 *
 * only: contract
 */
#define LINE own_line
#include "animal.h"

#include <signal.h>

static brz_rc own_line(brz_ctx *ctx, const char *p, const char *end)
{
    signal(SIGUSR1, SIG_IGN);
    return good_line(ctx, p, end);
}

COLLAPSER_ANIMAL(.flags = BRZ_SPLITTABLE)
