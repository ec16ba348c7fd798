/* SPDX-License-Identifier: MIT */
/* Finds lines of addresses, in bounded memory.
 *
 * libdw needs 48 bytes for each row of a line table, and keeps the tables of all units until their
 * file is closed. Therefore a handle of their own reads them. What is needed of a table is kept,
 * which takes a tenth of that memory, and handles that take too much are closed. When all tables
 * take too much nevertheless, those of the file that was used least recently are released; they
 * are read again if they are needed again.
 */
#ifndef SYMBOLS_LINE_TABLES_H
#define SYMBOLS_LINE_TABLES_H

#include <brazier/text/buffer.h>
#include <brazier/text/frame_cache.h>

#include "line_budget.h"

#include <elfutils/libdw.h>

/* The line tables of a file. */
typedef struct line_tables {
    brz_ctx *ctx;
    line_budget *budget;
    Dwarf *of, *alt;           /* of the file, and of that with its shared parts or NULL */
    Dwarf *handle;             /* reads tables; NULL: none */
    size_t read;               /* memory of the handle for tables, in bytes */
    struct line_table *tables; /* a list of those that were read */
    size_t size;               /* of the tables, in bytes */
    uint32_t released;         /* how often the tables were released */
    struct line_tables *newer, *older;
    const char **names; /* of source files */
    size_t n_names, cap_names;
    brz_frame_cache known; /* positions of names */
    brz_text scratch;
} line_tables;

/* The table of a unit. Initially zeroed. */
typedef struct unit_lines {
    const struct line_table *table; /* NULL: not read */
    uint32_t released;              /* of the file, when the table was read */
} unit_lines;

/* The place of code in its source. */
typedef struct source_line {
    const char *file; /* NULL: unknown */
    uint32_t line;
} source_line;

/* Prepares reading the lines of a file, whose DWARF must stay open, as the budget must stay where
 * it is. */
void line_tables_init(line_tables *t, brz_ctx *ctx, line_budget *budget, Dwarf *of, Dwarf *alt);

/* Finds the line of an address in a unit. Returns false if it is unknown. */
bool line_tables_find(line_tables *t, Dwarf_Die *unit, unit_lines *u, uint64_t address,
                      source_line *found);

/* Returns the name of the file with a number in the list of a unit, or NULL. */
const char *line_tables_file(line_tables *t, Dwarf_Die *unit, unit_lines *u, uint64_t number);

/* Releases all tables. */
void line_tables_close(line_tables *t);

#endif
