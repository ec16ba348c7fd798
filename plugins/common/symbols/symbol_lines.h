/* Reads symbols from text: kallsyms of Linux, and maps of compilers at run time. */
#ifndef SYMBOLS_SYMBOL_LINES_H
#define SYMBOLS_SYMBOL_LINES_H

#include "symbol_index.h"

/* Adds the symbols of a list like /proc/kallsyms: address, type, name and perhaps a module in each
 * line. Stores the address of the symbol `name` in *address, if it is there. `text` must stay
 * valid. Returns false if all addresses are 0, because the reader was not allowed to see them. */
bool symbol_lines_kallsyms(symbol_table *t, brz_ctx *ctx, brz_str text, brz_str name,
                           uint64_t *address);

/* Such a list, of which only the lines near the addresses that are looked up are parsed. */
typedef struct symbol_list {
    brz_str text;
    symbol_index index;
    bool has_addresses; /* false: all of them are 0 */
} symbol_list;

/* Opens a list, likewise. It must stay where it is. */
void symbol_list_open(symbol_list *l, brz_ctx *ctx, brz_str text, brz_str name, uint64_t *address);

/* Reads the symbols of a map like /tmp/perf-PID.map: start, size and name in each line. Of two at
 * the same address the later one counts, and a later one cuts the one before it. `text` must stay
 * valid. The table is finished. */
void symbol_lines_map(symbol_table *t, brz_ctx *ctx, brz_str text);

#endif
