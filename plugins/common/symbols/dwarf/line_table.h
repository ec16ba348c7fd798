/* Lines of a unit of DWARF, and the names of its files. */
#ifndef SYMBOLS_LINE_TABLE_H
#define SYMBOLS_LINE_TABLE_H

#include "../elf/unit_bytes.h"

#include <brazier/host.h>

/* The sections that have lines. */
typedef struct line_sections {
    unit_bytes lines;        /* .debug_line, in which the unit's part is unpacked */
    unit_bytes strings;      /* .debug_str */
    unit_bytes line_strings; /* .debug_line_str */
    uint32_t order;          /* BRZ_LITTLE_ENDIAN or BRZ_BIG_ENDIAN */
} line_sections;

/* The line of the code from an address on, up to that of the next row. */
typedef struct line_row {
    uint64_t address;
    uint32_t line, file;
    uint32_t number; /* position in the section's order */
    bool is_end;     /* the first address after the code */
} line_row;

typedef struct line_table line_table;

/* Reads the lines of a unit at an offset. `folder` is the one in which it was compiled, or NULL; it
 * must stay valid. Returns NULL if their form is unusual or invalid: libdw reads more forms. */
line_table *line_table_read(brz_ctx *ctx, const line_sections *s, uint64_t offset,
                            const char *folder);

/* Returns the row of an address, or NULL. */
const line_row *line_table_find(const line_table *t, uint64_t address);

/* Returns the path of a file by its number, or NULL if no file has it. */
const char *line_table_file(line_table *t, brz_ctx *ctx, uint64_t file);

#endif
