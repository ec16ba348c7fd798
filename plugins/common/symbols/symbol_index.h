/* SPDX-License-Identifier: MIT */
/* Symbols of files, of which only those at the addresses that are looked up are read.
 *
 * The result of a lookup is that of a symbol_table with all symbols.
 */
#ifndef SYMBOLS_SYMBOL_INDEX_H
#define SYMBOLS_SYMBOL_INDEX_H

#include "symbol_table.h"

#include <brazier/text/buffer.h>

/* The place of a symbol in a file. */
typedef struct symbol_place {
    uint64_t start;         /* its address */
    uint32_t table, number; /* the table that has it, and its position there */
    uint64_t size;          /* 0: unknown */
} symbol_place;

/* Reads the symbol at a place, but for its addresses. Returns false if the symbol does not count.
 */
typedef bool symbol_read(void *context, const symbol_place *place, symbol *s);

typedef struct symbol_index {
    brz_ctx *ctx;
    symbol_read *read;
    void *context;
    symbol_place *places; /* in the order of their addresses, once the index is finished */
    size_t n, cap;
    bool has_sizes;       /* of a symbol at least */
    uint32_t *outer;      /* for each place, 1 + the last one before that ends after it, or 0; NULL
                           * without sizes */
    const symbol **known; /* symbols that were read, at the last place of their address */
    size_t known_cap;     /* of `known` and `outer` */
    symbol_table all;     /* see is_whole */
    bool is_whole;        /* symbols overlap so much that all of them were read and sorted */
} symbol_index;

void symbol_index_init(symbol_index *x, brz_ctx *ctx, symbol_read *read, void *context);

/* Makes room for more places. */
void symbol_index_reserve(symbol_index *x, size_t more);

/* Adds the place of a symbol. */
static inline void symbol_index_add(symbol_index *x, symbol_place place)
{
    if (place.start == UINT64_MAX || x->n == UINT32_MAX - 1)
        return;
    place.size = place.start + place.size > place.start ? place.size : 0;
    x->has_sizes |= place.size > 0;
    x->places = (symbol_place *)brz_list_room(x->ctx, x->places, x->n, &x->cap, sizeof *x->places);
    x->places[x->n++] = place;
}

/* Prepares lookups. Further places may be added before it is called again. */
void symbol_index_finish(symbol_index *x);

/* Returns the symbol at an address, or NULL. */
const symbol *symbol_index_find(symbol_index *x, uint64_t address);

/* Returns the symbol that begins at an address, or NULL. */
const symbol *symbol_index_at(symbol_index *x, uint64_t start);

/* Reads and sorts all symbols, from which it finds them from now on. */
const symbol_table *symbol_index_all(symbol_index *x);

/* Returns whether the last symbol that begins at or before an address may lack a size. */
bool symbol_index_is_open(symbol_index *x, uint64_t address);

#endif
