/* SPDX-License-Identifier: MIT */
/* Opens a file and does not close it.
 *
 * only: contract
 */
#define LINE own_line
#include "animal.h"

#include <fcntl.h>

static brz_rc own_line(brz_ctx *ctx, const char *p, const char *end)
{
    if (open("/dev/null", O_RDONLY | O_CLOEXEC) < 0)
        return BRZ_OK;
    return good_line(ctx, p, end);
}

COLLAPSER_ANIMAL(.flags = BRZ_SPLITTABLE)
