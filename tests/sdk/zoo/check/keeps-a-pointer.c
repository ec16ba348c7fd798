/* SPDX-License-Identifier: MIT */
/* Keeps a pointer to the first line of the first chunk, and counts that line at the end.
 *
 * only: parse/twice
 */
#include "animal.h"

typedef struct kept {
    const char *p, *end;
} kept;

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    kept *k = ctx->inst;
    const char *p = (const char *)chunk->data, *newline = memchr(p, '\n', chunk->len);
    if (k->p == NULL && newline != NULL) {
        k->p = p;
        k->end = newline;
    }
    return good_parse(ctx, chunk, used);
}

static brz_rc finish(brz_ctx *ctx)
{
    const kept *k = ctx->inst;
    return k->p == NULL ? BRZ_OK : good_line(ctx, k->p, k->end);
}

COLLAPSER_ANIMAL(.inst_size = sizeof(kept), .parse = parse, .finish = finish)
