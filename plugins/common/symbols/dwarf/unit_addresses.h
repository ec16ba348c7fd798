/* Reads .debug_aranges: which units of DWARF have which addresses. */
#ifndef SYMBOLS_UNIT_ADDRESSES_H
#define SYMBOLS_UNIT_ADDRESSES_H

#include "../elf/unit_bytes.h"

#include <brazier/host.h>

/* Addresses of a unit. */
typedef struct unit_range {
    uint64_t start, end;
    uint64_t unit; /* offset of its header in .debug_info */
} unit_range;

typedef struct unit_addresses {
    unit_range *items; /* in the order of their addresses */
    size_t n, cap;
} unit_addresses;

/* Reads a section. `order` is BRZ_LITTLE_ENDIAN or BRZ_BIG_ENDIAN. Reading ends at the first
 * invalid table. */
void unit_addresses_read(unit_addresses *a, brz_ctx *ctx, unit_bytes section, uint32_t order);

/* Returns the range that has an address, or NULL. */
const unit_range *unit_addresses_find(const unit_addresses *a, uint64_t address);

#endif
