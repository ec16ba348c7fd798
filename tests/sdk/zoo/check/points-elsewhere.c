/* SPDX-License-Identifier: MIT */
/* Reports a position outside of the chunk, with a full stop in the message.
 *
 * only: contract/diag
 */
#define LINE own_line
#include "animal.h"

static brz_rc own_line(brz_ctx *ctx, const char *p, const char *end)
{
    static const char elsewhere[] = "elsewhere";
    if (p < end && memrchr(p, ' ', (size_t)(end - p)) == NULL)
        BRZ_WARN(ctx, "zoo.line", elsewhere, sizeof elsewhere, "this is no line");
    else if (p < end && end[-1] == ';')
        BRZ_WARN(ctx, "zoo.end", p, 1, "a line ends in a semicolon.");
    return good_line(ctx, p, end);
}

COLLAPSER_ANIMAL(.flags = BRZ_SPLITTABLE)
