/* SPDX-License-Identifier: MIT */
/* Finds units by .debug_aranges. */
#include "named_unit.h"

#include <string.h>

/* The list:
 *
 *     set   := length:u32 version:u16=2 header:u32 size_of_address:u8=8 size_of_segment:u8=0
 *              padding:u32 range* zeros
 *     range := start:u64 size:u64
 *
 * Sets of other forms are left out. */
#define SET_HEAD   16
#define RANGE_SIZE 16
#define FORM       "\x08\x00"

/* Returns whether one of `n` ranges has an address. */
static bool has_address(const uint8_t *ranges, size_t n, uint64_t address)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t start, size;
        memcpy(&start, ranges + i * RANGE_SIZE, sizeof start);
        memcpy(&size, ranges + i * RANGE_SIZE + 8, sizeof size);
        if (address - start < size)
            return true;
    }
    return false;
}

bool named_unit_find(unit_bytes list, uint64_t address, uint64_t *header)
{
    size_t at = 0;
    while (list.len - at >= SET_HEAD) {
        const uint8_t *set = list.data + at;
        uint32_t length, place;
        uint16_t version;
        memcpy(&length, set, sizeof length);
        memcpy(&version, set + 4, sizeof version);
        memcpy(&place, set + 6, sizeof place);
        if (length < SET_HEAD - 4 || length > list.len - at - 4)
            return false;
        bool is_usual = version == 2 && memcmp(set + 10, FORM, 2) == 0;
        *header = place;
        if (is_usual &&
            has_address(set + SET_HEAD, (length - (SET_HEAD - 4)) / RANGE_SIZE, address))
            return true;
        at += (size_t)length + 4;
    }
    return false;
}
