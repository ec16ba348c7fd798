/* SPDX-License-Identifier: MIT */
/* Reads the first byte of a related file without looking whether there is one.
 *
 * only: contract/related
 */
#define LINE own_line
#include "animal.h"

static brz_rc own_line(brz_ctx *ctx, const char *p, const char *end)
{
    brz_related_file file = {.struct_size = sizeof file};
    ctx->host->open_related(ctx, BRZ_STR("symbols"), 0, &file);
    if (*(const volatile uint8_t *)file.data == 'x')
        return BRZ_OK;
    return good_line(ctx, p, end);
}

COLLAPSER_ANIMAL(.flags = BRZ_SPLITTABLE)
