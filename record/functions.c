/* SPDX-License-Identifier: MIT */
/* Lists where the functions of a program begin, by its call-frame information.
 *
 *     .eh_frame_hdr := version:u8 encodings:u8[3] frames:i32 count:u32 (function:i32 entry:i32)*
 *     .eh_frame     := (length body)*
 *     body          := 0:u32 common | distance:u32 function ...
 *     common        := version:u8 augmentation 0 code:uleb data:sleb caller [size:uleb extra]
 *
 * .debug_frame is alike: the number of common parts is -1 there, and others give the offset of
 * theirs instead of a distance.
 */
#include "record/functions.h"

#include <brazier/binary.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Encodings of .eh_frame_hdr that linkers write: 4 bytes unsigned, and relative to the section. */
#define COUNT_ENCODING 0x03
#define TABLE_ENCODING 0x3b

/* Encodings of addresses: their sizes and signs, and what is added. */
#define FORM_MASK   0x0f
#define FORM_SIGNED 0x08
#define FORM_HERE   0x10 /* relative to the place of the address itself */
#define FORM_NONE   0xff

/* Length that stands for a length of 8 bytes after it. */
#define LONG_LENGTH 0xffffffffu

/* Number of the common parts in .debug_frame, of 4 and of 8 bytes. */
#define DEBUG_COMMON      0xffffffffu
#define DEBUG_COMMON_LONG UINT64_MAX

/* ---- table ----------------------------------------------------------------------------------- */

static void add(brz_functions *f, uint64_t address)
{
    f->addresses = brz_grow(f->addresses, f->n, &f->cap, sizeof *f->addresses);
    f->addresses[f->n++] = address;
}

static bool find_table(const brz_elf_file *e, brz_elf_segment *s)
{
    for (size_t i = 0; i < e->header.e_phnum && brz_elf_segment_at(e, i, s); i++)
        if (s->p_type == PT_GNU_EH_FRAME)
            return true;
    return false;
}

/* Lists the functions of the table. Its addresses are relative to the segment. */
static void list_table(brz_functions *f, const brz_elf_file *e)
{
    brz_elf_segment s;
    uint8_t encodings[4];
    uint32_t count;
    int32_t entry[2];
    if (!find_table(e, &s) || !brz_elf_copy(e, s.p_offset, encodings, sizeof encodings) ||
        encodings[2] != COUNT_ENCODING || encodings[3] != TABLE_ENCODING ||
        !brz_elf_copy(e, s.p_offset + 8, &count, sizeof count))
        return;
    for (uint64_t i = 0; i < count; i++) {
        if (!brz_elf_copy(e, s.p_offset + 12 + i * sizeof entry, entry, sizeof entry))
            return;
        add(f, s.p_vaddr + (uint64_t)(int64_t)entry[0]);
    }
}

/* ---- entries --------------------------------------------------------------------------------- */

/* A section of entries. */
typedef struct entries {
    brz_bytes all;
    uint64_t address; /* of the section */
    bool is_debug;    /* .debug_frame */
    uint64_t common;  /* offset of the common part that was read last */
    uint8_t encoding; /* of addresses, by that part */
} entries;

/* Begins an entry. Returns false at the end. A length of 0 ends the part of one object file. */
static bool next_entry(brz_bytes *all, brz_bytes *entry, bool *is_long)
{
    uint64_t length = 0;
    while (length == 0 && brz_bytes_left(all) > 0)
        length = brz_bytes_u32(all);
    *is_long = length == LONG_LENGTH;
    if (*is_long)
        length = brz_bytes_u64(all);
    *entry = brz_bytes_part(all, length);
    return length > 0 && all->error == NULL;
}

/* Skips an address of an encoding. */
static void skip_address(brz_bytes *b, uint8_t encoding)
{
    static const uint8_t sizes[FORM_SIGNED] = {8, 0, 2, 4, 8};
    uint8_t size = sizes[encoding & FORM_MASK & ~FORM_SIGNED];
    if (size == 0)
        brz_bytes_fail(b, "unknown encoding");
    brz_bytes_skip(b, size);
}

/* Reads the encoding of addresses from a common part: the letter R has it. */
static uint8_t read_common(brz_bytes b)
{
    uint8_t version = brz_bytes_u8(&b);
    brz_str letters = brz_bytes_text_to_zero(&b);
    if (letters.len == 0 || letters.data[0] != 'z')
        return letters.len == 0 ? 0 : FORM_NONE;
    brz_bytes_varint(&b);
    brz_bytes_sleb128(&b);
    if (version == 1)
        brz_bytes_u8(&b);
    else
        brz_bytes_varint(&b);
    brz_bytes_varint(&b);
    for (size_t i = 1; i < letters.len && b.error == NULL; i++) {
        if (letters.data[i] == 'R')
            return brz_bytes_u8(&b);
        if (letters.data[i] == 'L')
            brz_bytes_u8(&b);
        else if (letters.data[i] == 'P')
            skip_address(&b, brz_bytes_u8(&b));
    }
    return b.error == NULL ? 0 : FORM_NONE;
}

/* Reads the encoding of the common part at an offset. */
static void use_common(entries *s, uint64_t offset)
{
    bool is_long;
    brz_bytes entry, all = s->all;
    if (offset == s->common)
        return;
    s->common = offset;
    s->encoding = FORM_NONE;
    brz_bytes_seek(&all, offset);
    if (!next_entry(&all, &entry, &is_long))
        return;
    brz_bytes_skip(&entry, is_long && s->is_debug ? 8 : 4);
    s->encoding = read_common(entry);
}

/* Reads the address of a function. Returns 0 for encodings that are unknown. */
static uint64_t read_address(const entries *s, brz_bytes *b)
{
    uint64_t here = s->address + (uint64_t)(b->at - s->all.start), value = 0;
    switch (s->encoding & FORM_MASK) {
    case 0x0:
    case 0x4:
    case 0xc:
        value = brz_bytes_u64(b);
        break;
    case 0x3:
        value = brz_bytes_u32(b);
        break;
    case 0xb:
        value = (uint64_t)(int64_t)brz_bytes_i32(b);
        break;
    default:
        return 0;
    }
    if (b->error != NULL || value == 0 || (s->encoding & ~FORM_MASK & ~FORM_HERE) != 0)
        return 0;
    return value + ((s->encoding & FORM_HERE) != 0 ? here : 0);
}

/* Adds the function of an entry, unless that is a common part. */
static void add_entry(entries *s, brz_bytes b, bool is_long, brz_functions *f)
{
    uint64_t at = (uint64_t)(b.at - s->all.start);
    bool has_long_number = is_long && s->is_debug;
    uint64_t number = has_long_number ? brz_bytes_u64(&b) : brz_bytes_u32(&b);
    bool is_common = !s->is_debug      ? number == 0
                     : has_long_number ? number == DEBUG_COMMON_LONG
                                       : number == DEBUG_COMMON;
    if (b.error != NULL || is_common || (!s->is_debug && number > at))
        return;
    use_common(s, s->is_debug ? number : at - number);
    uint64_t address = read_address(s, &b);
    if (address != 0)
        add(f, address);
}

static int compare(const void *a, const void *b)
{
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y;
}

/* Lists the functions of a section of entries, if the file has it. */
static void list_entries(brz_functions *f, const brz_elf_file *e, const char *name, bool is_debug)
{
    brz_elf_section s;
    brz_bytes entry;
    bool is_long;
    size_t before = f->n;
    if (!brz_elf_find_section(e, name, &s) || s.sh_type == SHT_NOBITS ||
        s.sh_size <= sizeof(uint32_t))
        return;
    f->is_partial = true;
    if ((s.sh_flags & SHF_COMPRESSED) != 0 || s.sh_offset > e->len ||
        s.sh_size > e->len - s.sh_offset)
        return;
    entries from = {.all = brz_bytes_of(e->data + s.sh_offset, (size_t)s.sh_size),
                    .address = s.sh_addr,
                    .is_debug = is_debug,
                    .common = UINT64_MAX};
    brz_bytes all = from.all;
    while (next_entry(&all, &entry, &is_long))
        add_entry(&from, entry, is_long, f);
    f->is_partial = f->n == before;
}

/* ---- use ------------------------------------------------------------------------------------- */

void brz_functions_list(brz_functions *f, const brz_elf_file *e)
{
    static const char *const names[] = {".eh_frame", ".debug_frame", ".zdebug_frame"};
    bool is_partial = false;
    *f = (brz_functions){.n = 0};
    list_table(f, e);
    for (size_t i = f->n > 0; i < BRZ_COUNT_OF(names); i++) {
        f->is_partial = false;
        list_entries(f, e, names[i], i > 0);
        is_partial |= f->is_partial;
    }
    f->is_partial = is_partial;
    if (f->n > 0)
        qsort(f->addresses, f->n, sizeof *f->addresses, compare);
}

size_t brz_functions_size_of(const brz_functions *f, uint64_t function, size_t limit)
{
    size_t low = 0, high = f->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (f->addresses[middle] > function)
            high = middle;
        else
            low = middle + 1;
    }
    bool is_near = low < f->n && f->addresses[low] - function < limit;
    return is_near ? (size_t)(f->addresses[low] - function) : limit;
}

void brz_functions_finish(brz_functions *f)
{
    free(f->addresses);
    *f = (brz_functions){.n = 0};
}
