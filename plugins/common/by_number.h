/* SPDX-License-Identifier: MIT */
/* Remembers what was made of the entries of a table by their numbers, which are small in most
 * inputs: a faster way than a hash table.
 *
 * An input may begin again with the numbers of a table: its entries are then those of another
 * generation, and those of earlier ones are void. Generations are not 0. */
#ifndef COMMON_BY_NUMBER_H
#define COMMON_BY_NUMBER_H

#include <brazier/host.h>

typedef struct by_number_item {
    uint32_t generation; /* 0: none */
    uint32_t what;
} by_number_item;

typedef struct by_number {
    by_number_item *items; /* by number */
    size_t n;
} by_number;

/* Stores what was remembered of an entry in *what. Returns false if there is nothing. */
static inline bool by_number_find(const by_number *b, uint32_t generation, uint64_t number,
                                  uint32_t *what)
{
    if (number >= b->n || b->items[number].generation != generation)
        return false;
    *what = b->items[number].what;
    return true;
}

/* Remembers an entry of `n` ones, unless its number is much larger than that. */
static inline void by_number_put(by_number *b, brz_ctx *ctx, uint32_t generation, uint64_t number,
                                 uint32_t what, size_t n)
{
    if (number >= 4 * (uint64_t)n + 1024)
        return;
    if (number >= b->n) {
        size_t room = 2 * (size_t)number + 1024;
        b->items = (by_number_item *)brz_list_move(
            ctx->host->alloc(ctx, room * sizeof *b->items, 0), b->items, b->n * sizeof *b->items);
        b->n = room;
    }
    b->items[number].generation = generation;
    b->items[number].what = what;
}

#endif
