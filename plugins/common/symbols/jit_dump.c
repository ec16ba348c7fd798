/* SPDX-License-Identifier: MIT */
/* Reads the symbols in dumps of compilers at run time.
 *
 *     dump   := "JiTD" version:u32 size:u32 ... record*
 *     record := id:u32 size:u32 time:u64 body
 *     load   := pid:u32 tid:u32 vma:u64 address:u64 size:u64 index:u64 name 0 code
 *     move   := pid:u32 tid:u32 vma:u64 old:u64 new:u64 size:u64 index:u64
 */
#include "jit_dump.h"

#include <brazier/binary.h>
#include <brazier/text/buffer.h>

#define MAGIC            0x4a695444u
#define HEADER_MIN       40
#define RECORD_HEAD      16
#define RECORD_LOAD      0
#define RECORD_MOVE      1
#define RECORD_UNWINDING 4

/* A dump that is being read. */
typedef struct reading {
    jit_dump *dump;
    symbol_table *table;
    brz_ctx *ctx;
} reading;

static void add_code(const reading *r, uint64_t start, uint64_t size, brz_str name)
{
    symbol s = {.start = start, .name = name, .flags = SYMBOL_SIZED | SYMBOL_GLOBAL};
    s.end = start + size < start ? UINT64_MAX : start + size;
    symbol_table_add(r->table, r->ctx, s);
}

static brz_frame_key key_of(const jit_dump *d, uint64_t index)
{
    char text[sizeof(brz_words)] = {0}; /* the cache reads that much */
    memcpy(text, &index, sizeof index);
    return brz_frame_key_of(&d->positions, text, sizeof index, 0);
}

/* Remembers the name of a function; a later one of the same index counts. */
static void keep_name(const reading *r, uint64_t index, brz_str name)
{
    jit_dump *d = r->dump;
    brz_frame_key key = key_of(d, index);
    uint32_t position = brz_frame_cache_find(&d->positions, &key);
    if (position == BRZ_CACHE_MISS) {
        position = (uint32_t)d->n;
        brz_frame_cache_put(&d->positions, r->ctx, &key, position);
        d->names = brz_list_room(r->ctx, d->names, d->n, &d->cap, sizeof *d->names);
        d->n++;
    }
    if (d->names != NULL)
        d->names[position] = name;
}

static void take_load(const reading *r, brz_bytes b)
{
    brz_bytes_skip(&b, 16);
    uint64_t start = brz_bytes_u64(&b), size = brz_bytes_u64(&b), index = brz_bytes_u64(&b);
    brz_str name = brz_bytes_text_to_zero(&b);
    if (b.error != NULL || name.len == 0)
        return;
    add_code(r, start, size, name);
    keep_name(r, index, name);
}

/* Adds a function at its new place. */
static void take_move(const reading *r, brz_bytes b)
{
    const jit_dump *d = r->dump;
    brz_bytes_skip(&b, 24);
    uint64_t start = brz_bytes_u64(&b), size = brz_bytes_u64(&b), index = brz_bytes_u64(&b);
    brz_frame_key key = key_of(d, index);
    uint32_t position = brz_frame_cache_find(&d->positions, &key);
    if (b.error == NULL && position != BRZ_CACHE_MISS && d->names != NULL &&
        d->names[position].len > 0)
        add_code(r, start, size, d->names[position]);
}

/* Begins to read a dump, for the first time or again. */
static void begin(jit_dump *d, brz_ctx *ctx)
{
    if (d->positions.n_slots == 0)
        brz_frame_cache_init(&d->positions, ctx);
    for (size_t i = 0; i < d->n; i++)
        d->names[i] = brz_str_of("", 0);
    d->n_unwinding = 0;
}

static void read_records(const reading *r, brz_bytes b)
{
    while (brz_bytes_left(&b) >= RECORD_HEAD) {
        uint32_t id = brz_bytes_u32(&b), size = brz_bytes_u32(&b);
        brz_bytes_skip(&b, 8);
        if (size < RECORD_HEAD)
            break;
        brz_bytes body = brz_bytes_part(&b, size - RECORD_HEAD);
        if (b.error != NULL)
            break;
        if (id == RECORD_LOAD)
            take_load(r, body);
        else if (id == RECORD_MOVE)
            take_move(r, body);
        r->dump->n_unwinding += id == RECORD_UNWINDING;
    }
}

bool jit_dump_read(jit_dump *d, symbol_table *t, brz_ctx *ctx, const uint8_t *data, size_t len)
{
    brz_bytes b = brz_bytes_of(data, len);
    if (len < HEADER_MIN)
        return false;
    b.order = brz_load_u32(data, BRZ_BIG_ENDIAN) == MAGIC ? BRZ_BIG_ENDIAN : BRZ_LITTLE_ENDIAN;
    if (brz_bytes_u32(&b) != MAGIC)
        return false;
    begin(d, ctx);
    brz_bytes_skip(&b, 4);
    brz_bytes_seek(&b, brz_bytes_u32(&b));
    read_records(&(reading){d, t, ctx}, b);
    return true;
}
