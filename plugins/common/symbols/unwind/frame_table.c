/* SPDX-License-Identifier: MIT */
/* Finds functions of .eh_frame by the table of .eh_frame_hdr. */
#include "frame_table.h"

#include "../elf/section_image.h"

#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

/* The form that linkers write:
 *
 *     header := version:u8=1 forms:u8[3] place_of_frames:i32 n:u32 row*
 *     row    := start:i32 entry:i32
 *
 * The place is relative to itself, the members of rows to the header. */
#define HEADER_SIZE 12
#define ROW_SIZE    8
#define FORMS       "\x01\x1b\x03\x3b"

/* Entries begin with their length and the place of what they share, or 0 in the latter. */
#define ENTRY_HEAD 8

/* Length of the longest entry that is read: real ones have some hundred bytes. */
#define ENTRY_MAX ((uint32_t)1 << 20)

/* ---- the table ------------------------------------------------------------------------------ */

/* Returns the bytes of a section, and its address and number. */
static unit_bytes section_of(const elf_image *e, const char *name, uint64_t *address,
                             size_t *number)
{
    GElf_Shdr h;
    Elf_Scn *s = elf_image_section(e, name);
    Elf_Data *d = s == NULL ? NULL : elf_rawdata(s, NULL);
    if (d == NULL || d->d_buf == NULL || gelf_getshdr(s, &h) == NULL)
        return (unit_bytes){NULL, 0};
    *address = h.sh_addr;
    *number = elf_ndxscn(s);
    return (unit_bytes){d->d_buf, d->d_size};
}

bool frame_table_open(frame_table *t, const elf_image *e)
{
    size_t first = 0, second = 0;
    uint32_t n;
    uint64_t at = 0;
    memset(t, 0, sizeof *t);
    t->image = e;
    unit_bytes header = section_of(e, ".eh_frame_hdr", &at, &second);
    t->frames = section_of(e, ".eh_frame", &t->frames_at, &first);
    if (t->frames.len == 0 || header.len < HEADER_SIZE || second < first ||
        memcmp(header.data, FORMS, 4) != 0 || !section_image_is_native(e))
        return false;
    memcpy(&n, header.data + 8, sizeof n);
    t->rows = header.data + HEADER_SIZE;
    t->rows_from = at;
    if (n <= (header.len - HEADER_SIZE) / ROW_SIZE)
        t->n_rows = n;
    return t->n_rows > 0;
}

void frame_table_close(frame_table *t)
{
    free(t->memory);
    memset(t, 0, sizeof *t);
}

/* Reads an address of a row: that of the function at its first byte, that of the entry 4 bytes
 * later. */
static uint64_t address_at(const frame_table *t, const uint8_t *place)
{
    int32_t distance;
    memcpy(&distance, place, sizeof distance);
    return t->rows_from + (uint64_t)(int64_t)distance;
}

/* Finds the row of the last function that begins at or before an address. Returns NULL if there is
 * none. */
static const uint8_t *find_row(const frame_table *t, uint64_t address)
{
    uint64_t low = 0, high = t->n_rows;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (address_at(t, t->rows + middle * ROW_SIZE) <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? NULL : t->rows + (low - 1) * ROW_SIZE;
}

/* ---- entries -------------------------------------------------------------------------------- */

/* Returns the entry at an offset of .eh_frame, with its length, or nothing if it is damaged or
 * too long, as in the form for more than 4 GiB. */
static unit_bytes entry_at(const frame_table *t, uint64_t offset)
{
    uint32_t n;
    if (offset > t->frames.len || t->frames.len - offset < ENTRY_HEAD)
        return (unit_bytes){NULL, 0};
    const uint8_t *at = t->frames.data + offset;
    memcpy(&n, at, sizeof n);
    if (n < 4 || n > ENTRY_MAX || n > t->frames.len - offset - 4)
        return (unit_bytes){NULL, 0};
    return (unit_bytes){at, (size_t)n + 4};
}

/* The entry of a function, and the one with what it shares with others. */
typedef struct entries {
    unit_bytes shared, own;
    uint64_t own_at; /* address */
} entries;

static bool find_entries(const frame_table *t, uint64_t address, entries *found)
{
    uint32_t back;
    const uint8_t *row = find_row(t, address);
    if (row == NULL)
        return false;
    found->own_at = address_at(t, row + 4);
    uint64_t offset = found->own_at - t->frames_at;
    found->own = entry_at(t, offset);
    if (found->own.data == NULL)
        return false;
    memcpy(&back, found->own.data + 4, sizeof back);
    if (back == 0 || back > offset + 4)
        return false;
    found->shared = entry_at(t, offset + 4 - back);
    memcpy(&back, found->shared.data == NULL ? found->own.data + 4 : found->shared.data + 4, 4);
    return found->shared.data != NULL && back == 0;
}

/* Returns memory for `n` bytes, or NULL. */
static uint8_t *make_room(frame_table *t, size_t n)
{
    if (n > t->room) {
        free(t->memory);
        t->room = 2 * n;
        t->memory = malloc(t->room);
    }
    if (t->memory == NULL)
        t->room = 0;
    return t->memory;
}

/* An ELF file with .eh_frame alone. */
typedef struct frame_file {
    Elf64_Ehdr header;
    Elf64_Shdr sections[3];
    char names[24];
    uint8_t frames[];
} frame_file;

#define NAME_OF_FRAMES ((Elf64_Word)1)
#define NAME_OF_NAMES  ((Elf64_Word)11)

/* Makes a file of which .eh_frame has `len` bytes at an address. */
static void write_headers(frame_file *f, const elf_image *like, uint64_t address, size_t len)
{
    memset(f, 0, sizeof *f);
    memcpy(f->names, "\0.eh_frame\0.shstrtab", 21);
    memcpy(f->header.e_ident, like->data, EI_NIDENT);
    f->header.e_type = ET_DYN;
    f->header.e_machine = (Elf64_Half)like->machine;
    f->header.e_version = EV_CURRENT;
    f->header.e_ehsize = sizeof f->header;
    f->header.e_shoff = offsetof(frame_file, sections);
    f->header.e_shentsize = sizeof(Elf64_Shdr);
    f->header.e_shnum = 3;
    f->header.e_shstrndx = 2;
    f->sections[1] = (Elf64_Shdr){.sh_name = NAME_OF_FRAMES,
                                  .sh_type = SHT_PROGBITS,
                                  .sh_addr = address,
                                  .sh_offset = offsetof(frame_file, frames),
                                  .sh_size = len,
                                  .sh_addralign = 1};
    f->sections[2] = (Elf64_Shdr){.sh_name = NAME_OF_NAMES,
                                  .sh_type = SHT_STRTAB,
                                  .sh_offset = offsetof(frame_file, names),
                                  .sh_size = sizeof f->names,
                                  .sh_addralign = 1};
}

/* Makes a file with the entries, of which that of the function stays at its address, since places
 * in it are relative. Returns it and its size, or NULL. */
static char *make_file(frame_table *t, const entries *of, size_t *size)
{
    size_t len = of->shared.len + of->own.len + 4;
    uint32_t back = (uint32_t)of->shared.len + 4;
    *size = sizeof(frame_file) + len;
    uint8_t *memory = make_room(t, *size);
    frame_file *f = (frame_file *)(void *)memory;
    if (f == NULL)
        return NULL;
    write_headers(f, t->image, of->own_at - of->shared.len, len);
    memcpy(f->frames, of->shared.data, of->shared.len);
    memcpy(f->frames + of->shared.len, of->own.data, of->own.len);
    memcpy(f->frames + of->shared.len + 4, &back, sizeof back);
    memset(f->frames + of->shared.len + of->own.len, 0, 4);
    return (char *)memory;
}

frame_rule frame_table_read(frame_table *t, const unwind_machine *m, uint64_t address,
                            rule_alloc *alloc, void *context)
{
    frame_rule r = {.is_known = false};
    entries of;
    size_t size;
    char *file = find_entries(t, address, &of) ? make_file(t, &of, &size) : NULL;
    Elf *elf = file == NULL ? NULL : elf_memory(file, size);
    Dwarf_CFI *cfi = elf == NULL ? NULL : dwarf_getcfi_elf(elf);
    if (cfi != NULL) {
        r = frame_rule_read(cfi, m, address, alloc, context);
        dwarf_cfi_end(cfi);
    }
    if (elf != NULL)
        elf_end(elf);
    return r;
}
