/* SPDX-License-Identifier: MIT */
/* Keeps counts by frame until `finish`, and merges them with the ids of the other instance.
 *
 * only: parse/splits
 */
#define LINE own_line
#include "animal.h"

#define MOST 100

typedef struct kept {
    brz_frame frames[MOST];
    int64_t counts[MOST];
    size_t n;
} kept;

/* Keeps the count of a line's last frame. */
static brz_rc own_line(brz_ctx *ctx, const char *p, const char *end)
{
    kept *k = ctx->inst;
    const char *blank = memrchr(p, ' ', (size_t)(end - p)), *name;
    int64_t count;
    if (blank == NULL || k->n == MOST || !parse_count(blank + 1, end, &count))
        return BRZ_OK;
    name = memrchr(p, ';', (size_t)(blank - p));
    name = name == NULL ? p : name + 1;
    k->frames[k->n] = ctx->host->intern(ctx, name, (size_t)(blank - name));
    k->counts[k->n++] = count;
    return BRZ_OK;
}

static brz_rc merge(brz_ctx *into, brz_ctx *from)
{
    kept *a = into->inst, *b = from->inst;
    for (size_t i = 0; i < b->n && a->n < MOST; i++, a->n++) {
        a->frames[a->n] = b->frames[i];
        a->counts[a->n] = b->counts[i];
    }
    b->n = 0;
    return BRZ_OK;
}

static brz_rc finish(brz_ctx *ctx)
{
    kept *k = ctx->inst;
    for (size_t i = 0; i < k->n; i++)
        if (ctx->host->emit(ctx, &k->frames[i], 1, k->counts[i], 0) != BRZ_OK)
            return BRZ_ERROR;
    return BRZ_OK;
}

COLLAPSER_ANIMAL(.inst_size = sizeof(kept), .merge = merge, .finish = finish)
