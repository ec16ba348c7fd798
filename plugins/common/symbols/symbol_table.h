/* SPDX-License-Identifier: MIT */
/* Symbols of a module, in the order of their addresses. */
#ifndef SYMBOLS_SYMBOL_TABLE_H
#define SYMBOLS_SYMBOL_TABLE_H

#include <brazier/host.h>

/* Flags of a symbol. */
#define SYMBOL_WEAK   1u
#define SYMBOL_GLOBAL 2u
#define SYMBOL_SIZED  4u /* the file states its size */

typedef struct symbol {
    uint64_t start, end; /* end is 0 until the table is finished, unless the size is known */
    brz_str name;        /* not copied */
    uint32_t rank; /* until the table is finished: of names that are equally good for an address,
                    * the one of the lowest rank counts; then: of symbols that overlap, the one
                    * of the highest rank */
    uint32_t flags;
} symbol;

/* A table. Without its symbols (n = 0), it may be filled again, in the memory that it has. */
typedef struct symbol_table {
    symbol *items;
    size_t n, cap;
    symbol *spare; /* for the parts of symbols that overlap; NULL: none yet */
    size_t spare_cap;
    uint32_t *heap; /* likewise */
    size_t heap_cap;
} symbol_table;

/* Adds a symbol. Its name must stay valid. */
void symbol_table_add(symbol_table *t, brz_ctx *ctx, symbol s);

/* Sorts the symbols. Of several at one address one is kept: the one that perf shows. */
void symbol_table_order(symbol_table *t);

/* Returns the end of the last symbol if its size is unknown. */
uint64_t symbol_last_end(const symbol *s);

/* Sorts the symbols. Of several at one address one is kept: the one that perf shows. Those without
 * a size end where the next one begins. Symbols that overlap are split: the inner one counts. */
void symbol_table_finish(symbol_table *t, brz_ctx *ctx);

/* Does the same for a list without sizes, as perf does it for that of the kernel: of several
 * symbols at one address the last one that was added is kept. */
void symbol_table_finish_unsized(symbol_table *t);

/* Does the same for code that replaces older code: of two symbols at the same address the later one
 * counts, and a later one counts instead of older ones around, after and within it. */
void symbol_table_finish_in_order(symbol_table *t, brz_ctx *ctx);

/* Returns the symbol at an address, or NULL. */
const symbol *symbol_table_find(const symbol_table *t, uint64_t address);

#endif
