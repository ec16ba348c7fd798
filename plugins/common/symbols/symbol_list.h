/* SPDX-License-Identifier: MIT */
/* Lists of the kernel's symbols, like /proc/kallsyms, of which only the lines that are looked
 * up are parsed. */
#ifndef SYMBOLS_SYMBOL_LIST_H
#define SYMBOLS_SYMBOL_LIST_H

#include "symbol_index.h"

typedef struct symbol_list {
    brz_str text;
    symbol_index index; /* of its lines */
    bool has_addresses; /* false: all of them are 0 */
} symbol_list;

/* Opens a list, which must stay where it is. Stores the address of the symbol `name` in *address,
 * if it is there. `text` must stay valid. */
void symbol_list_open(symbol_list *l, brz_ctx *ctx, brz_str text, brz_str name, uint64_t *address);

/* Returns the symbol at an address, or NULL: the one that a symbol_table of all lines has. It stays
 * valid. */
const symbol *symbol_list_find(symbol_list *l, uint64_t address);

#endif
