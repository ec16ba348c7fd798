/* SPDX-License-Identifier: MIT */
/* Copies each line and does not free the copy.
 *
 * only: memory
 */
#define LINE own_line
#include "animal.h"

static brz_rc own_line(brz_ctx *ctx, const char *p, const char *end)
{
    if (strndup(p, (size_t)(end - p)) == NULL)
        return BRZ_OK;
    return good_line(ctx, p, end);
}

COLLAPSER_ANIMAL(.flags = BRZ_SPLITTABLE)
