/* SPDX-License-Identifier: MIT */
/* Finds units by .debug_aranges, the list of addresses that units have.
 *
 * libdw would sort the list and keep it in memory, which takes more of that than the section does
 * of the file. Here, it is read for each address that is looked up. */
#ifndef SYMBOLS_NAMED_UNIT_H
#define SYMBOLS_NAMED_UNIT_H

#include "../elf/unit_bytes.h"

#include <stdbool.h>

/* Stores where the unit that the list names for an address begins in .debug_info: its header. The
 * list has the byte order of this machine. Returns false if it names none. */
bool named_unit_find(unit_bytes list, uint64_t address, uint64_t *header);

#endif
