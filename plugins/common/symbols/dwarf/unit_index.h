/* SPDX-License-Identifier: MIT */
/* Finds the pieces of sections that belong to a unit in a .dwp file, by its index of units. */
#ifndef SYMBOLS_UNIT_INDEX_H
#define SYMBOLS_UNIT_INDEX_H

#include "../elf/unit_bytes.h"

/* Returns the piece of a section that belongs to the unit with an id; empty if there is none.
 * `column` is the number of the section in the format of the index. The index has the byte order of
 * this machine. */
unit_bytes unit_index_piece(unit_bytes index, uint64_t id, uint32_t column, unit_bytes section);

#endif
