/* SPDX-License-Identifier: MIT */
/* Finds inlined functions and lines of addresses in DWARF, by libdw. */
#ifndef SYMBOLS_INLINES_H
#define SYMBOLS_INLINES_H

#include "../elf/packed_budget.h"
#include "line_budget.h"

/* The most calls at an address. */
#define INLINES_MAX 64

/* A function at an address, and the line in it. Its texts are valid until inlines_close(). */
typedef struct inline_call {
    const char *name; /* as in symbol tables, or without a mangled name, its plain one; or NULL */
    const char *file; /* NULL: unknown */
    uint32_t line;
} inline_call;

/* Maximum memory for units of other files. */
#define INLINES_SPLIT_MAX ((size_t)1 << 30)

typedef struct inlines inlines;

/* Opens files to which debugging information refers. */
typedef struct inline_files {
    /* Opens the file in which the rest of a unit may be. `folder` is the folder of the compiler,
     * `name` the file's name; there are several places, of which `place` is the number, from 0 on.
     * Returns false if there are no more places. Without a file, e->elf is NULL. */
    bool (*open)(void *context, size_t place, brz_str folder, brz_str name, elf_image *e);
    void *context;
} inline_files;

/* Parts that are missing from the debugging information of a file. */
typedef struct inline_gaps {
    uint64_t missing;  /* units whose rest is in a file that was not found */
    uint64_t left_out; /* units for whose rest INLINES_SPLIT_MAX is too small */
    uint64_t needed;   /* bytes that the largest file of a unit unpacks to, of those that do not fit
                        * into the budget; 0: all fit */
    bool has_too_many_ranges; /* more than the size of the file allows; the others are left out */
} inline_gaps;

/* The memory that all files share. Both must stay where they are. */
typedef struct inline_budgets {
    packed_budget *packed; /* for compressed sections */
    line_budget *lines;    /* for line tables */
} inline_budgets;

/* Opens the DWARF of an image, which must stay open. `alt` is the file that its .gnu_debugaltlink
 * names, or NULL. Returns NULL if it has no DWARF that can be used;
 * *needed is the bytes that it unpacks to, if that is more than the budget has, otherwise 0. */
inlines *inlines_open(const elf_image *e, const elf_image *alt, const inline_files *files,
                      inline_budgets budgets, uint64_t *needed, brz_ctx *ctx);

/* Returns what was left out so far. */
inline_gaps inlines_gaps(const inlines *x);

/* Finds the functions at an address, outermost first: the first one contains the code, the others
 * are inlined. Returns their number; 0: unknown. */
size_t inlines_find(inlines *x, brz_ctx *ctx, uint64_t address, inline_call calls[INLINES_MAX]);

/* Returns whether a file unpacked to so much that it took memory which all files share: it is not
 * unpacked again. */
bool inlines_took_reserve(const inlines *x);

/* Estimates the memory that libdw and unpacked sections take, in bytes. NULL has none. */
size_t inlines_size(const inlines *x);

/* Releases it; NULL is allowed. */
void inlines_close(inlines *x);

#endif
