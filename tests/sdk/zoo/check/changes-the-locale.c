/* SPDX-License-Identifier: MIT */
/* Changes the locale to one with a decimal comma.
 *
 * only: contract
 */
#define LINE own_line
#include "animal.h"

#include <locale.h>

static brz_rc own_line(brz_ctx *ctx, const char *p, const char *end)
{
    setlocale(LC_ALL, "C.UTF-8");
    return good_line(ctx, p, end);
}

COLLAPSER_ANIMAL(.flags = BRZ_SPLITTABLE)
