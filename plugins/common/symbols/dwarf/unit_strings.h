/* SPDX-License-Identifier: MIT */
/* Picks the strings of a unit from a section that it shares with all units of a .dwp file. All
 * bytes have the order of this machine. */
#ifndef SYMBOLS_UNIT_STRINGS_H
#define SYMBOLS_UNIT_STRINGS_H

#include "../elf/unit_bytes.h"

/* Replaces *offsets, the offsets of a unit in *strings after `header` bytes, by offsets in a
 * section that has only the strings of the unit, and *strings by that section. Changes nothing if
 * that section would not be smaller. Returns memory that the caller frees, with the new bytes, or
 * NULL. */
uint8_t *unit_strings_pick(unit_bytes *offsets, size_t header, unit_bytes *strings);

#endif
