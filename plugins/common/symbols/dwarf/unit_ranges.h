/* SPDX-License-Identifier: MIT */
/* Changes ranges of addresses of a split unit so that they are relative to 0, not to the address of
 * its skeleton. All bytes have the order of this machine. */
#ifndef SYMBOLS_UNIT_RANGES_H
#define SYMBOLS_UNIT_RANGES_H

#include "../elf/unit_bytes.h"

/* Changes lists of ranges of DWARF 5, which a table of offsets precedes. Sets *owned to memory that
 * the caller frees, if the result is in it. */
unit_bytes unit_ranges_lists(unit_bytes section, uint64_t base, uint8_t **owned);

/* Changes lists of ranges of DWARF 4: pairs of addresses of 64 bits, likewise. */
unit_bytes unit_ranges_pairs(unit_bytes section, uint64_t base, uint8_t **owned);

#endif
