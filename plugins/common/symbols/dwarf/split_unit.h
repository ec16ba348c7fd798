/* SPDX-License-Identifier: MIT */
/* Reads units of DWARF that are in a file of their own: split DWARF, in a .dwo or .dwp file.
 *
 * The program has a skeleton of the unit, with its addresses and lines. The parts of both files
 * become one image in memory, so that libdw needs no other file.
 */
#ifndef SYMBOLS_SPLIT_UNIT_H
#define SYMBOLS_SPLIT_UNIT_H

#include <brazier/text/buffer.h>

#include <elfutils/libdw.h>

#include "../elf/unit_bytes.h"
#include "dwarf_image.h"

/* The beginnings of the parts of all units in a section. */
typedef struct unit_extents {
    uint64_t *starts;
    size_t n, cap;
} unit_extents;

/* Adds the beginning of a part. */
void unit_extents_add(unit_extents *e, brz_ctx *ctx, uint64_t start);

/* Sorts the beginnings, after the last one was added. */
void unit_extents_finish(unit_extents *e);

typedef struct split_unit {
    Dwarf *dwarf; /* NULL: not open */
    Elf *elf;
    uint8_t *bytes;
    Dwarf_Die die;       /* the unit */
    bool has_file_names; /* its calls refer to files of its own, not to those of the skeleton */
} split_unit;

/* Returns whether a unit is a skeleton. */
bool split_unit_is_skeleton(Dwarf_Die *unit);

/* The places of a unit in the program's .debug_addr and .debug_ranges. */
typedef struct split_bases {
    uint64_t addresses, ranges;
} split_bases;

/* The places of all units there. */
typedef struct split_sections {
    unit_extents addresses, ranges;
} split_sections;

/* Returns the places of the unit of a skeleton. */
split_bases split_unit_bases(Dwarf_Die *skeleton);

enum split_result {
    SPLIT_FOUND,
    SPLIT_ABSENT,    /* the file does not have the unit */
    SPLIT_TOO_LARGE, /* the budget is too small */
    SPLIT_PACKED,    /* its compressed sections unpack to too much */
};

/* Opens the unit that belongs to a skeleton. `main` is the image of the skeleton, and `file` that
 * of the .dwo or .dwp file; none of them has compressed sections. Reduces *budget by the memory
 * that is used, and to 0 if that is too little. The unit is open only with SPLIT_FOUND. */
enum split_result split_unit_open(split_unit *s, const elf_image *main, Dwarf_Die *skeleton,
                                  const elf_image *file, const split_sections *shared,
                                  size_t *budget);

/* Releases it; a zeroed one is allowed. */
void split_unit_close(split_unit *s);

#endif
