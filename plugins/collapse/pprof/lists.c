/* SPDX-License-Identifier: MIT */
/* Remembers the stacks of lists of locations by the bytes of the lists. */
#include "lists.h"

#include <brazier/symbol.h>

/* Length of a list that is not worth it, and the number of lists that show whether others are. */
#define LEAST_LENGTH 4
#define TRIED        2048

void lists_init(lists *l, brz_ctx *ctx)
{
    pair_map_init(&l->by_hash, ctx);
}

static bool is_useful(const lists *l, size_t len)
{
    return len >= LEAST_LENGTH && (l->missed < TRIED || l->found > l->missed / 4);
}

const known_list *lists_find(lists *l, brz_str bytes)
{
    if (!is_useful(l, bytes.len))
        return NULL;
    l->hash = brz_hash_text(&l->by_hash.keys, bytes.data, bytes.len, 0);
    uint32_t i = pair_map_find(&l->by_hash, l->hash, bytes.len);
    if (i != PAIR_MISS && brz_str_equal(l->items[i].bytes, bytes)) {
        l->found++;
        return &l->items[i];
    }
    l->missed++;
    return NULL;
}

void lists_add(lists *l, brz_ctx *ctx, const known_list *list)
{
    if (!is_useful(l, list->bytes.len) || l->n == PAIR_MISS)
        return;
    l->items = brz_list_room(ctx, l->items, l->n, &l->cap, sizeof *l->items);
    l->items[l->n] = *list;
    pair_map_put(&l->by_hash, ctx, l->hash, list->bytes.len, (uint32_t)l->n++);
}
