/* Reads what precedes the entries of a unit of DWARF. */
#ifndef SYMBOLS_UNIT_HEADER_H
#define SYMBOLS_UNIT_HEADER_H

#include "../elf/unit_bytes.h"

#include <stdbool.h>

typedef struct unit_header {
    uint64_t first; /* offset of the first entry */
    uint64_t end;   /* offset of the end of the unit */
} unit_header;

/* Reads the header of a unit at an offset in .debug_info. `order` is BRZ_LITTLE_ENDIAN or
 * BRZ_BIG_ENDIAN. Returns false if it is invalid. */
bool unit_header_read(unit_bytes info, uint32_t order, uint64_t offset, unit_header *h);

/* Returns the size of the header of a unit with code, or with a part in another file. */
uint64_t unit_header_size(unsigned version, unsigned offset_size, bool is_skeleton);

/* Stores the end of a unit's part of a section that begins with its length, such as .debug_line.
 * Returns false if it is invalid. */
bool unit_header_end(unit_bytes section, uint32_t order, uint64_t offset, uint64_t *end);

#endif
