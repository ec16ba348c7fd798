/* SPDX-License-Identifier: MIT */
/* Reads ELF files that are in memory, by libelf. */
#include "elf_image.h"

#include <brazier/binary.h>
#include <brazier/symbol.h>

#include <stdlib.h>
#include <string.h>

#include <gelf.h>
#include <libelf.h>

/* Maximum number of segments and sections that are examined. */
#define PARTS_MAX 100000

/* Maximum number of segments, all of which are examined for each address. */
#define SEGMENTS_MAX 256

/* Symbols with longer names are left out. */
#define NAME_SIZE_MAX ((size_t)1 << 16)

/* ---- identity ------------------------------------------------------------------------------- */

static brz_str section_name(const elf_image *e, const GElf_Shdr *header)
{
    size_t names;
    if (elf_getshdrstrndx(e->elf, &names) != 0)
        return brz_str_of("", 0);
    const char *name = elf_strptr(e->elf, names, header->sh_name);
    return name == NULL ? brz_str_of("", 0) : brz_str_of(name, strnlen(name, NAME_SIZE_MAX));
}

static bool is_named(const elf_image *e, const GElf_Shdr *header, const char *name)
{
    return brz_str_is(section_name(e, header), name);
}

/* Finds the build id among the notes. */
static void take_notes(elf_image *e, Elf_Data *d)
{
    GElf_Nhdr note;
    size_t name, desc, at = 0, next;
    while (e->build_id.len == 0 && (next = gelf_getnote(d, at, &note, &name, &desc)) > 0) {
        const char *text = (const char *)d->d_buf + name;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(text, "GNU", 4) == 0)
            e->build_id = brz_str_of((const char *)d->d_buf + desc, note.n_descsz);
        at = next;
    }
}

/* Reads .gnu_debuglink: a name, padding, and a checksum in the byte order of the file. */
static void take_debug_link(elf_image *e, const Elf_Data *d)
{
    const char *end = d->d_size < 8 ? NULL : memchr(d->d_buf, 0, d->d_size);
    if (end == NULL)
        return;
    size_t n = (size_t)(end - (const char *)d->d_buf), at = (n + 1 + 3) / 4 * 4;
    GElf_Ehdr header;
    if (at + 4 > d->d_size || gelf_getehdr(e->elf, &header) == NULL)
        return;
    memcpy(&e->debug_crc, (const char *)d->d_buf + at, 4);
    if (header.e_ident[EI_DATA] !=
        (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB : ELFDATA2LSB))
        e->debug_crc = __builtin_bswap32(e->debug_crc);
    e->debug_link = brz_str_of(d->d_buf, n);
}

/* Reads .gnu_debugaltlink: a name, and the build id of the file. */
static void take_alt_link(elf_image *e, const Elf_Data *d)
{
    const char *text = d->d_buf, *end = d->d_size == 0 ? NULL : memchr(text, 0, d->d_size);
    if (end == NULL)
        return;
    size_t n = (size_t)(end - text);
    e->alt_link = brz_str_of(text, n);
    e->alt_id = brz_str_of(end + 1, d->d_size - n - 1);
}

/* Takes the facts that a section states about other files and about the rest of the image. */
static void take_section(elf_image *e, Elf_Scn *s, const GElf_Shdr *h)
{
    bool is_packed = (h->sh_flags & SHF_COMPRESSED) != 0;
    Elf_Data *d = elf_rawdata(s, NULL);
    if (h->sh_type == SHT_NOTE && (d = elf_getdata(s, NULL)) != NULL)
        take_notes(e, d);
    if (d == NULL || d->d_buf == NULL || is_packed)
        return;
    if (is_named(e, h, ".gnu_debuglink"))
        take_debug_link(e, d);
    if (is_named(e, h, ".gnu_debugaltlink"))
        take_alt_link(e, d);
    if (is_named(e, h, ".gnu_debugdata")) {
        e->mini_debug = d->d_buf;
        e->mini_debug_len = d->d_size;
    }
}

brz_str elf_image_name(const elf_image *e, void *section)
{
    GElf_Shdr h;
    bool exists = section != NULL && gelf_getshdr(section, &h) != NULL;
    return exists ? section_name(e, &h) : brz_str_of("", 0);
}

uint32_t elf_image_order(const elf_image *e)
{
    return e->data[EI_DATA] == ELFDATA2MSB ? BRZ_BIG_ENDIAN : BRZ_LITTLE_ENDIAN;
}

void *elf_image_section(const elf_image *e, const char *name)
{
    GElf_Shdr h;
    Elf_Scn *s = NULL;
    for (size_t i = 0; i < PARTS_MAX && (s = elf_nextscn(e->elf, s)) != NULL; i++)
        if (gelf_getshdr(s, &h) != NULL && h.sh_type != SHT_NOBITS && is_named(e, &h, name))
            return s;
    return NULL;
}

static void read_sections(elf_image *e)
{
    Elf_Scn *s = NULL;
    for (size_t i = 0; i < PARTS_MAX && (s = elf_nextscn(e->elf, s)) != NULL; i++) {
        GElf_Shdr h;
        if (gelf_getshdr(s, &h) == NULL || h.sh_type == SHT_NOBITS)
            continue;
        e->is_packed |= (h.sh_flags & SHF_COMPRESSED) != 0 ||
                        brz_starts_with(section_name(e, &h), BRZ_STR(".z"));
        e->has_packed_frames |= (h.sh_flags & SHF_COMPRESSED) != 0 &&
                                brz_starts_with(section_name(e, &h), BRZ_STR(".eh_frame"));
        e->has_symbols |= h.sh_type == SHT_SYMTAB && h.sh_size > 0;
        e->has_debug |= is_named(e, &h, ".debug_info") || is_named(e, &h, ".zdebug_info");
        e->is_shared |=
            is_named(e, &h, ".gnu_debugaltlink") || is_named(e, &h, ".zgnu_debugaltlink");
        e->has_debug_frames |= is_named(e, &h, ".debug_frame") || is_named(e, &h, ".zdebug_frame");
        take_section(e, s, &h);
    }
}

/* ---- segments ------------------------------------------------------------------------------- */

static void read_segments(elf_image *e, brz_ctx *ctx)
{
    size_t n = 0;
    if (elf_getphdrnum(e->elf, &n) != 0 || n > PARTS_MAX)
        return;
    n = n < SEGMENTS_MAX ? n : SEGMENTS_MAX;
    e->segments = ctx->host->alloc(ctx, (n + 1) * sizeof *e->segments, 0);
    for (size_t i = 0; i < n; i++) {
        GElf_Phdr h;
        if (gelf_getphdr(e->elf, (int)i, &h) == NULL || h.p_type != PT_LOAD)
            continue;
        e->segments[e->n_segments++] = (elf_segment){h.p_vaddr, h.p_filesz, h.p_offset};
    }
}

bool elf_image_open(elf_image *e, brz_ctx *ctx, const uint8_t *data, size_t len)
{
    memset(e, 0, sizeof *e);
    e->data = data;
    e->len = len;
    if (elf_version(EV_CURRENT) == EV_NONE || len < EI_NIDENT || memcmp(data, ELFMAG, SELFMAG) != 0)
        return false;
    e->elf = elf_memory((char *)(uintptr_t)data, len);
    size_t n_sections;
    if (e->elf == NULL || elf_kind(e->elf) != ELF_K_ELF ||
        elf_getshdrnum(e->elf, &n_sections) != 0 || n_sections > PARTS_MAX) {
        elf_image_close(e);
        return false;
    }
    GElf_Ehdr header;
    bool has_header = gelf_getehdr(e->elf, &header) != NULL;
    e->machine = has_header ? header.e_machine : EM_NONE;
    e->entry = has_header ? header.e_entry : 0;
    read_segments(e, ctx);
    read_sections(e);
    return true;
}

void elf_image_close(elf_image *e)
{
    if (e->elf != NULL)
        elf_end(e->elf);
    free(e->owned);
    e->elf = NULL;
    e->owned = NULL;
}

bool elf_image_address(const elf_image *e, uint64_t offset, uint64_t *address)
{
    for (size_t i = 0; i < e->n_segments; i++) {
        const elf_segment *s = &e->segments[i];
        if (offset < s->offset || offset - s->offset >= s->size)
            continue;
        *address = offset - s->offset + s->address;
        return true;
    }
    return false;
}

bool elf_image_offset(const elf_image *e, uint64_t address, uint64_t *offset)
{
    for (size_t i = 0; i < e->n_segments; i++) {
        const elf_segment *s = &e->segments[i];
        if (address < s->address || address - s->address >= s->size)
            continue;
        *offset = address - s->address + s->offset;
        return true;
    }
    return false;
}

/* ---- checksums ------------------------------------------------------------------------------ */

uint32_t elf_image_checksum(const uint8_t *data, size_t len)
{
    uint32_t table[256], crc = UINT32_MAX;
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (int k = 0; k < 8; k++)
            table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0);
    }
    for (size_t i = 0; i < len; i++)
        crc = crc >> 8 ^ table[(crc ^ data[i]) & 0xff];
    return ~crc;
}
