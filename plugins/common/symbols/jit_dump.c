/* Reads the symbols in dumps of compilers at run time.
 *
 *     dump   := "JiTD" version:u32 size:u32 ... record*
 *     record := id:u32 size:u32 time:u64 body
 *     load   := pid:u32 tid:u32 vma:u64 address:u64 size:u64 index:u64 name 0 code
 */
#include "jit_dump.h"

#include <brazier/binary.h>

#define MAGIC       0x4a695444u
#define HEADER_MIN  40
#define RECORD_HEAD 16
#define RECORD_LOAD 0

static void take_load(symbol_table *t, brz_ctx *ctx, brz_bytes b)
{
    symbol s = {.flags = SYMBOL_SIZED | SYMBOL_GLOBAL};
    brz_bytes_skip(&b, 16);
    s.start = brz_bytes_u64(&b);
    uint64_t size = brz_bytes_u64(&b);
    brz_bytes_skip(&b, 8);
    s.name = brz_bytes_text_to_zero(&b);
    s.end = s.start + size < s.start ? UINT64_MAX : s.start + size;
    if (b.error == NULL && s.name.len > 0)
        symbol_table_add(t, ctx, s);
}

bool jit_dump_read(symbol_table *t, brz_ctx *ctx, const uint8_t *data, size_t len)
{
    brz_bytes b = brz_bytes_of(data, len);
    if (len < HEADER_MIN)
        return false;
    b.order = brz_load_u32(data, BRZ_BIG_ENDIAN) == MAGIC ? BRZ_BIG_ENDIAN : BRZ_LITTLE_ENDIAN;
    if (brz_bytes_u32(&b) != MAGIC)
        return false;
    brz_bytes_skip(&b, 4);
    brz_bytes_seek(&b, brz_bytes_u32(&b));
    while (brz_bytes_left(&b) >= RECORD_HEAD) {
        uint32_t id = brz_bytes_u32(&b), size = brz_bytes_u32(&b);
        brz_bytes_skip(&b, 8);
        if (size < RECORD_HEAD)
            break;
        brz_bytes body = brz_bytes_part(&b, size - RECORD_HEAD);
        if (id == RECORD_LOAD && b.error == NULL)
            take_load(t, ctx, body);
    }
    return true;
}
