/* SPDX-License-Identifier: MIT */
/* Reports more bytes as used than it received.
 *
 * only: parse/twice
 */
#include "animal.h"

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    brz_rc rc = good_parse(ctx, chunk, used);
    *used += 1;
    return rc;
}

COLLAPSER_ANIMAL(.parse = parse)
