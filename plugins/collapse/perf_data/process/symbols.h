/* SPDX-License-Identifier: MIT */
/* Finds the symbols of modules: in the files of programs, in those with their debugging
 * information, in lists of the kernel, and in maps of compilers. */
#ifndef PERF_DATA_SYMBOLS_H
#define PERF_DATA_SYMBOLS_H

#include "symbol_source.h"

/* Initialises it with the options. */
void symbols_init(symbols *s, brz_ctx *ctx, brz_str kallsyms, brz_str build_id_dir,
                  bool uses_servers);

/* Returns the symbol at an address of a module, or NULL. */
const symbol *symbols_find(symbols *s, module *m, uint64_t address);

/* Begins another look at files that grow while the recording is shown. */
void symbols_look_again(symbols *s);

/* Reads the names of a module's code, those of a compiler at run time, if they have changed since
 * the last look. Symbols that were found in it before are invalid then. */
void symbols_refresh(symbols *s, module *m);

/* Finds the functions at an address of a module, outermost first, of which all but the first are
 * inlined. Returns their number; 0: unknown. */
size_t symbols_inlines(symbols *s, module *m, uint64_t address, inline_call calls[INLINES_MAX]);

/* Returns the source of a module's symbols, which it looks for once. */
symbol_source *symbols_of(symbols *s, module *m);

/* Closes all files. */
void symbols_close(symbols *s);

#endif
