/* SPDX-License-Identifier: MIT */
/* Maps ids to indices. */
#include "ids.h"

#include <string.h>

#define MOST_BYTES 32

void ids_init(id_table *t, brz_ctx *ctx)
{
    brz_frame_cache_init(&t->cache, ctx);
}

/* Returns the key of an id. `bytes` receives it, padded since the hash reads beyond it. */
static brz_frame_key key_of(const id_table *t, uint32_t context, brz_str id, char bytes[64])
{
    size_t n = id.len < MOST_BYTES ? id.len : MOST_BYTES;
    memset(bytes, 0, 64);
    if (n > 0)
        memcpy(bytes, id.data, n);
    return brz_frame_key_of(&t->cache, bytes, n, context);
}

uint32_t ids_find(const id_table *t, uint32_t context, brz_str id)
{
    char bytes[64];
    brz_frame_key key = key_of(t, context, id, bytes);
    return brz_frame_cache_find(&t->cache, &key);
}

bool ids_add(id_table *t, brz_ctx *ctx, uint32_t context, brz_str id, uint32_t index)
{
    char bytes[64];
    brz_frame_key key = key_of(t, context, id, bytes);
    if (brz_frame_cache_find(&t->cache, &key) != BRZ_CACHE_MISS)
        return false;
    brz_frame_cache_put(&t->cache, ctx, &key, index);
    return true;
}
