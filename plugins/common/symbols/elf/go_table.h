/* SPDX-License-Identifier: MIT */
/* Reads the table of functions that each Go program has for its runtime: .gopclntab. It names the
 * functions of stripped programs, too. */
#ifndef SYMBOLS_GO_TABLE_H
#define SYMBOLS_GO_TABLE_H

#include "elf_image.h"

typedef struct go_table {
    const uint8_t *data; /* NULL: none */
    size_t len;
    uint32_t order;   /* BRZ_LITTLE_ENDIAN or BRZ_BIG_ENDIAN */
    unsigned word;    /* size of an address */
    unsigned field;   /* size of a number in the list of functions */
    uint64_t base;    /* address from which those of functions are counted */
    size_t names;     /* offset of the names */
    size_t functions; /* offset of the list of functions */
    size_t records;   /* offset from which those of their records are counted */
    size_t flags;     /* offset of a function's flags in its record; 0: records have no flags */
    size_t n;         /* number of functions */
} go_table;

/* Opens the table of an image, which must stay open. Returns false if the image has no table, or a
 * damaged one, or one of an unknown version. */
bool go_table_open(go_table *t, const elf_image *e);

/* Returns the address of a function, or, for t->n, the end of the last one. */
uint64_t go_table_address(const go_table *t, size_t i);

/* Flags of functions. */
enum {
    GO_OUTERMOST = 1,    /* it has no caller */
    GO_CHANGES_STACK = 2 /* it sets the stack pointer, as to the stack of another goroutine */
};

/* Returns the flags of the function that an address has; 0: none, or unknown. */
uint32_t go_table_flags(const go_table *t, uint64_t address);

/* Returns the name of a function, which the image owns; empty: none. */
brz_str go_table_name(const go_table *t, size_t i);

#endif
