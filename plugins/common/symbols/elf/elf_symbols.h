/* SPDX-License-Identifier: MIT */
/* The symbols of a program or library: those of its file, of other files with its symbols, of the
 * runtime of Go, and the jumps through which it calls functions of libraries. Their addresses are
 * offsets in its file. */
#ifndef SYMBOLS_ELF_SYMBOLS_H
#define SYMBOLS_ELF_SYMBOLS_H

#include "elf_image.h"
#include "go_table.h"
#include "jumps.h"

/* A table of symbols in a file. */
typedef struct elf_table {
    const elf_image *image;
    void *data; /* Elf_Data of libelf */
    size_t strings;
    bool is_dynamic; /* it has only the symbols for linking */
} elf_table;

typedef struct elf_symbols {
    brz_ctx *ctx;
    const elf_image *loaded; /* the file of the running program */
    symbol_index index;
    elf_table *tables;
    size_t n_tables, cap_tables;
    go_table go;        /* functions of a stripped Go program */
    symbol_table jumps; /* read when one of them may matter */
    jumps_extent extents[JUMPS_EXTENTS];
    size_t n_extents; /* of the jumps */
    bool has_jumps;   /* they were read */
    bool as_perf;     /* names are those that perf 6.1 prints: versions stay, few jumps have one */
} elf_symbols;

/* Initialises it. The images and it itself must stay where they are. */
void elf_symbols_init(elf_symbols *s, brz_ctx *ctx, const elf_image *loaded, bool as_perf);

/* Adds the symbols of an image, which may be another one than that of the running program. */
void elf_symbols_add(elf_symbols *s, const elf_image *e);

/* Adds the functions of a Go program that has no other names of them. */
void elf_symbols_add_go(elf_symbols *s);

/* Prepares lookups, without which no symbol is found. */
void elf_symbols_finish(elf_symbols *s);

/* Forgets all symbols, so that the memory of its context can be released. They may be added again.
 */
void elf_symbols_forget(elf_symbols *s);

/* Adds the jumps, unless it has them. A lookup for which they matter does that itself. */
void elf_symbols_add_jumps(elf_symbols *s);

/* Returns where the jumps are to which an offset belongs, or NULL. The linker writes them. */
const jumps_extent *elf_symbols_jumps_at(const elf_symbols *s, uint64_t offset);

/* Returns the symbol at an offset in the file of the running program, or NULL. */
const symbol *elf_symbols_find(elf_symbols *s, uint64_t offset);

#endif
