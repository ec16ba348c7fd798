/* SPDX-License-Identifier: MIT */
/* Changes ranges of addresses of a split unit.
 *
 *     lists := length:u32 version:u16 address_size:u8 0:u8 n:u32 offset:u32[n] list*
 *     list  := (kind:u8 operands)* 0:u8
 *
 * Each list is copied after the section, where an entry with the base address precedes it.
 */
#include "unit_ranges.h"

#include <brazier/binary.h>

#include <dwarf.h>
#include <stdlib.h>

#define HEADER 12

/* Size of an entry with a base address: its kind and the address. */
#define BASE_SIZE 9

/* Maximum size of a section that is changed, and its maximum growth: lists may overlap. The growth
 * also limits how much is read. */
#define SECTION_MAX ((size_t)64 << 20)
#define GROWTH_MAX  16

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define NATIVE BRZ_BIG_ENDIAN
#else
#define NATIVE BRZ_LITTLE_ENDIAN
#endif

/* Skips a list. Returns false if it is invalid. */
static bool skip_list(brz_bytes *b)
{
    for (uint8_t kind; (kind = brz_bytes_u8(b)) != DW_RLE_end_of_list;) {
        bool has_address = kind >= DW_RLE_base_address && kind <= DW_RLE_start_length;
        brz_bytes_skip(b, has_address ? 8 : 0);
        brz_bytes_skip(b, kind == DW_RLE_start_end ? 8 : 0);
        if (kind < DW_RLE_base_address || kind == DW_RLE_start_length)
            brz_bytes_varint(b);
        if (kind >= DW_RLE_startx_endx && kind <= DW_RLE_offset_pair)
            brz_bytes_varint(b);
        if (kind > DW_RLE_start_length || b->error != NULL)
            return false;
    }
    return b->error == NULL;
}

/* Returns the size of a list, or 0 if it is invalid. Adds the bytes that were read to *read. */
static size_t size_of_list(unit_bytes list, size_t *read)
{
    brz_bytes b = brz_bytes_of(list.data, list.len);
    bool good = skip_list(&b);
    *read += brz_bytes_offset(&b);
    return good ? brz_bytes_offset(&b) : 0;
}

/* Returns the number of lists; 0 if the section is not understood. */
static uint32_t count_lists(unit_bytes s)
{
    if (s.len < HEADER || brz_load_u32(s.data, NATIVE) >= 0xfffffff0u || s.data[6] != 8)
        return 0;
    uint32_t n = brz_load_u32(s.data + 8, NATIVE);
    return n <= (s.len - HEADER) / 4 ? n : 0;
}

/* Returns the bytes from a list on. */
static unit_bytes list_at(unit_bytes s, uint32_t i)
{
    uint64_t offset = HEADER + (uint64_t)brz_load_u32(s.data + HEADER + 4 * (size_t)i, NATIVE);
    return offset < s.len ? (unit_bytes){s.data + offset, s.len - (size_t)offset}
                          : (unit_bytes){NULL, 0};
}

/* Appends a list after an entry with the base address. */
static size_t append_list(uint8_t *to, size_t at, unit_bytes list, uint64_t base)
{
    to[at] = DW_RLE_base_address;
    memcpy(to + at + 1, &base, sizeof base);
    memcpy(to + at + BASE_SIZE, list.data, list.len);
    return at + BASE_SIZE + list.len;
}

unit_bytes unit_ranges_lists(unit_bytes s, uint64_t base, uint8_t **owned)
{
    uint32_t n = count_lists(s);
    size_t cap = s.len * GROWTH_MAX, at = s.len, read = 0;
    uint8_t *to = base == 0 || n == 0 || s.len > SECTION_MAX ? NULL : malloc(cap);
    if (to == NULL)
        return s;
    memcpy(to, s.data, s.len);
    for (uint32_t i = 0; i < n && read < cap; i++) {
        unit_bytes list = list_at(s, i);
        list.len = list.len > 0 ? size_of_list(list, &read) : 0;
        if (list.len == 0 || cap - at < BASE_SIZE + list.len)
            continue;
        uint32_t offset = (uint32_t)(at - HEADER);
        memcpy(to + HEADER + 4 * (size_t)i, &offset, sizeof offset);
        at = append_list(to, at, list, base);
    }
    uint32_t length = (uint32_t)(at - 4);
    memcpy(to, &length, sizeof length);
    *owned = to;
    return (unit_bytes){to, at};
}

unit_bytes unit_ranges_pairs(unit_bytes s, uint64_t base, uint8_t **owned)
{
    bool has_base = false;
    uint8_t *to = base == 0 || s.len == 0 ? NULL : malloc(s.len);
    if (to == NULL)
        return s;
    memcpy(to, s.data, s.len);
    for (size_t at = 0; at + 16 <= s.len; at += 16) {
        uint64_t pair[2];
        memcpy(pair, s.data + at, sizeof pair);
        bool is_end = pair[0] == 0 && pair[1] == 0;
        if (is_end || pair[0] == UINT64_MAX) {
            has_base = !is_end;
            continue;
        }
        pair[0] += has_base ? 0 : base;
        pair[1] += has_base ? 0 : base;
        memcpy(to + at, pair, sizeof pair);
    }
    *owned = to;
    return (unit_bytes){to, s.len};
}
