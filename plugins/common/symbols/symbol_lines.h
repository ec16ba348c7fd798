/* SPDX-License-Identifier: MIT */
/* Reads symbols from text: kallsyms of Linux, and maps of compilers at run time. */
#ifndef SYMBOLS_SYMBOL_LINES_H
#define SYMBOLS_SYMBOL_LINES_H

#include "symbol_table.h"

/* Takes the next line of a text. Returns false at its end. */
bool symbol_lines_take(brz_str *text, brz_str *line);

/* Returns whether symbols of a type of kallsyms are code or data of the kernel. */
bool symbol_lines_is_kept(char type);

/* Parses a line of kallsyms, but for the end of the symbol. Returns false if it has no symbol that
 * counts. */
bool symbol_lines_parse(brz_str line, symbol *s);

/* Adds the symbols of a list like /proc/kallsyms: address, type, name and perhaps a module in each
 * line. Stores the address of the symbol `name` in *address, if it is there. `text` must stay
 * valid. Returns false if all addresses are 0, because the reader was not allowed to see them. */
bool symbol_lines_kallsyms(symbol_table *t, brz_ctx *ctx, brz_str text, brz_str name,
                           uint64_t *address);

/* Reads the symbols of a map like /tmp/perf-PID.map: start, size and name in each line. Of two at
 * the same address the later one counts, and a later one cuts the one before it. `text` must stay
 * valid. The table is finished. */
void symbol_lines_map(symbol_table *t, brz_ctx *ctx, brz_str text);

#endif
