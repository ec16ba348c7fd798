/* Reads .debug_aranges: which units of DWARF have which addresses.
 *
 *     section := table*
 *     table   := length version:u16 unit:offset address_size:u8 selector_size:u8 padding
 *                (start:address size:address)*
 *     length  := bytes:u32 | 0xffffffff:u32 bytes:u64
 *
 * Ranges are aligned to their size within the table; one of zeros ends it.
 */
#include "unit_addresses.h"

#include "../address_rank.h"

#include <brazier/binary.h>
#include <brazier/text/buffer.h>

#include <stdlib.h>

/* Maximum number of ranges, which limits memory. Further ones are left out. */
#define RANGES_MAX ((size_t)1 << 22)

/* A length of 32 bits after which one of 64 bits follows. */
#define LENGTH_IS_LONG UINT32_MAX

static void add(unit_addresses *a, brz_ctx *ctx, unit_range r)
{
    a->items = (unit_range *)brz_list_room(ctx, a->items, a->n, &a->cap, sizeof *a->items);
    a->items[a->n++] = r;
}

static uint64_t take_address(brz_bytes *b, uint32_t size)
{
    return size == 8 ? brz_bytes_u64(b) : brz_bytes_u32(b);
}

/* Reads the ranges of a table. */
static void read_ranges(unit_addresses *a, brz_ctx *ctx, brz_bytes *table, uint64_t unit,
                        uint32_t size)
{
    while (brz_bytes_left(table) >= (size_t)2 * size && a->n < RANGES_MAX) {
        uint64_t start = take_address(table, size), length = take_address(table, size);
        if (start == 0 && length == 0)
            return;
        if (length > 0 && start + length > start)
            add(a, ctx, (unit_range){start, start + length, unit});
    }
}

/* Reads a table. */
static void read_table(unit_addresses *a, brz_ctx *ctx, brz_bytes *b)
{
    size_t start = brz_bytes_offset(b);
    uint32_t offset_size = 4;
    uint64_t length = brz_bytes_u32(b);
    if (length == LENGTH_IS_LONG) {
        length = brz_bytes_u64(b);
        offset_size = 8;
    }
    size_t before = brz_bytes_offset(b) - start;
    brz_bytes table = brz_bytes_part(b, length);
    uint16_t version = brz_bytes_u16(&table);
    uint64_t unit = brz_bytes_uint(&table, offset_size);
    uint32_t size = brz_bytes_u8(&table), selector = brz_bytes_u8(&table);
    if (b->error != NULL || table.error != NULL || version != 2 || selector != 0 ||
        (size != 4 && size != 8)) {
        brz_bytes_fail(b, "an invalid table");
        return;
    }
    size_t used = before + 2 + offset_size + 2, pair = (size_t)2 * size;
    brz_bytes_skip(&table, (pair - used % pair) % pair);
    read_ranges(a, ctx, &table, unit, size);
}

static int by_start(const void *x, const void *y)
{
    const unit_range *a = x, *b = y;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->unit < b->unit ? -1 : a->unit > b->unit;
}

void unit_addresses_read(unit_addresses *a, brz_ctx *ctx, unit_bytes section, uint32_t order)
{
    brz_bytes b = brz_bytes_of(section.data, section.len);
    b.order = order;
    while (brz_bytes_left(&b) > 0 && b.error == NULL && a->n < RANGES_MAX)
        read_table(a, ctx, &b);
    bool is_sorted = true;
    for (size_t i = 1; i < a->n && is_sorted; i++)
        is_sorted = a->items[i - 1].start <= a->items[i].start;
    if (!is_sorted)
        qsort(a->items, a->n, sizeof *a->items, by_start);
}

const unit_range *unit_addresses_find(const unit_addresses *a, uint64_t address)
{
    size_t rank = address_rank(a->items, a->n, sizeof *a->items, address);
    return rank > 0 && address < a->items[rank - 1].end ? &a->items[rank - 1] : NULL;
}
