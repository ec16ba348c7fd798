/* Loops forever on a line of spaces.
 *
 * only: robustness
 * limit: 2
 */
#define LINE own_line
#include "animal.h"

static brz_rc own_line(brz_ctx *ctx, const char *p, const char *end)
{
    while (p + 2 < end && p[0] == ' ' && p[1] == ' ')
        continue;
    return good_line(ctx, p, end);
}

COLLAPSER_ANIMAL(.flags = BRZ_SPLITTABLE)
