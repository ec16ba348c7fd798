/* SPDX-License-Identifier: MIT */
/* Bounds the memory of symbols and debugging information: that of modules which were not used for
 * long is released, and read again when it is needed.
 *
 * What had to be read again raises the bound by a part of its size, and each change to another
 * module lowers it. So a recording in which many modules run in turns needs more memory, but not
 * much more time; later, it gives the memory back. */
#ifndef PERF_DATA_SYMBOL_MEMORY_H
#define PERF_DATA_SYMBOL_MEMORY_H

#include "symbol_source.h"

/* Bounds in bytes: of a file, and of an input that arrives in chunks, perhaps for days. */
#define SYMBOLS_OF_FILE   ((size_t)64 << 20)
#define SYMBOLS_OF_STREAM ((size_t)8 << 20)

/* Begins to use a module's symbols of files. May release those of other modules. */
void symbol_memory_use(symbols *s, symbol_source *of);

/* Notes that released symbols are read again. */
void symbol_memory_reread(symbols *s, symbol_source *of);

/* Returns what is missing from the debugging information that was read so far. */
inline_gaps symbol_memory_gaps(const symbol_source *of);

/* Releases the symbols and debugging information of a module. Its files stay open. */
void symbol_memory_release(symbol_source *of);

#endif
