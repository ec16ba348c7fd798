/* Finds inlined functions and lines of addresses in DWARF, by libdw. */
#ifndef SYMBOLS_INLINES_H
#define SYMBOLS_INLINES_H

#include "elf_image.h"

/* The most calls at an address. */
#define INLINES_MAX 64

/* A function at an address, and the line in it. Its texts are valid until inlines_close(). */
typedef struct inline_call {
    const char *name; /* as in symbol tables, or without a mangled name, its plain one; or NULL */
    const char *file; /* NULL: unknown */
    uint32_t line;
} inline_call;

typedef struct inlines inlines;

/* Opens the DWARF of an image, which must stay open. `alt` is the file that its .gnu_debugaltlink
 * names, or NULL. Returns NULL if it has no DWARF that can be used. */
inlines *inlines_open(const elf_image *e, const elf_image *alt, brz_ctx *ctx);

/* Finds the functions at an address, outermost first: the first one contains the code, the others
 * are inlined. Returns their number; 0: nothing is known. */
size_t inlines_find(inlines *x, brz_ctx *ctx, uint64_t address, inline_call calls[INLINES_MAX]);

/* Releases it; NULL is allowed. */
void inlines_close(inlines *x);

#endif
