/* Reads what precedes the entries of a unit of DWARF.
 *
 *     unit   := length version:u16 (v5: kind:u8 address_size:u8) abbreviations:offset
 *               (v4: address_size:u8) (skeleton: id:u64) entry*
 *     length := bytes:u32 | 0xffffffff:u32 bytes:u64
 */
#include "unit_header.h"

#include <brazier/binary.h>

#include <dwarf.h>

/* A length of 32 bits after which one of 64 bits follows. */
#define LENGTH_IS_LONG UINT32_MAX

/* Returns the rest of a section from an offset on. */
static brz_bytes rest_of(unit_bytes section, uint32_t order, uint64_t offset)
{
    bool exists = offset < section.len;
    brz_bytes b = exists ? brz_bytes_of(section.data + offset, section.len - (size_t)offset)
                         : brz_bytes_of("", 0);
    b.order = order;
    return b;
}

/* Takes a length. Stores the offset after what it counts, and the size of offsets. */
static void take_length(brz_bytes *b, uint64_t offset, uint64_t *end, uint32_t *offset_size)
{
    uint64_t length = brz_bytes_u32(b);
    *offset_size = 4;
    if (length == LENGTH_IS_LONG) {
        length = brz_bytes_u64(b);
        *offset_size = 8;
    }
    uint64_t start = offset + brz_bytes_offset(b);
    if (length > UINT64_MAX - start)
        brz_bytes_fail(b, "an invalid length");
    else
        *end = start + length;
}

uint64_t unit_header_size(unsigned version, unsigned offset_size, bool is_skeleton)
{
    uint64_t length = offset_size == 8 ? 12 : 4;
    return length + 2 + offset_size + 1 + (version < 5 ? 0 : is_skeleton ? 9 : 1);
}

bool unit_header_read(unit_bytes info, uint32_t order, uint64_t offset, unit_header *h)
{
    uint32_t offset_size;
    uint8_t kind = DW_UT_compile;
    brz_bytes b = rest_of(info, order, offset);
    take_length(&b, offset, &h->end, &offset_size);
    uint16_t version = brz_bytes_u16(&b);
    if (version >= 5) {
        kind = brz_bytes_u8(&b);
        brz_bytes_skip(&b, 1);
    }
    brz_bytes_skip(&b, offset_size);
    h->first = offset + unit_header_size(version, offset_size, kind == DW_UT_skeleton);
    return b.error == NULL && h->first < h->end && h->end <= info.len;
}

bool unit_header_end(unit_bytes section, uint32_t order, uint64_t offset, uint64_t *end)
{
    uint32_t offset_size;
    brz_bytes b = rest_of(section, order, offset);
    take_length(&b, offset, end, &offset_size);
    return b.error == NULL && *end <= section.len;
}
