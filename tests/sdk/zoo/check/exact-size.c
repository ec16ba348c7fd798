/* SPDX-License-Identifier: MIT */
/* Rejects chunks whose struct size differs from its header's.
 *
 * only: forward
 */
#include "animal.h"

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    if (chunk->struct_size != sizeof *chunk) {
        brz_report(ctx, BRZ_FATAL, "zoo.host", NULL, 0, BRZ_STR("this host is another one"));
        return BRZ_ERROR;
    }
    return good_parse(ctx, chunk, used);
}

COLLAPSER_ANIMAL(.parse = parse)
