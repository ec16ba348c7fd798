/* Copies texts and grows lists in the memory of an output's instance. */
#ifndef OUTPUT_MEMORY_H
#define OUTPUT_MEMORY_H

#include <brazier/output.h>

#include <string.h>

/* Copies a text. Adds a terminating zero byte, which the length does not include. */
static inline brz_str memory_keep(brz_output_ctx *ctx, brz_str s)
{
    char *copy = (char *)ctx->host->alloc(ctx, s.len + 1, 1);
    if (s.len > 0)
        memcpy(copy, s.data, s.len);
    return brz_str_of(copy, s.len);
}

/* Makes room for another element of `size` bytes in a list of `n` elements with capacity *cap.
 * Returns the list, which has moved if it was full. An empty list is NULL, with `n` and *cap 0. */
static inline void *memory_list_room(brz_output_ctx *ctx, void *items, size_t n, size_t *cap,
                                     size_t size)
{
    if (n < *cap)
        return items;
    *cap = *cap > 0 ? 2 * *cap : 64;
    void *moved = ctx->host->alloc(ctx, *cap * size, 0);
    if (items != NULL && n > 0)
        memcpy(moved, items, n * size);
    return moved;
}

#endif
