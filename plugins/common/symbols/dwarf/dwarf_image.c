/* SPDX-License-Identifier: MIT */
/* Opens the DWARF of ELF files that are in memory, by libdw. */
#include "dwarf_image.h"

#include "../elf/packed_section.h"
#include "../elf/section_image.h"

#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

/* Maximum size of a file that is copied, and of an image of its sections. */
#define COPY_MAX ((size_t)UINT32_MAX)

/* ---- compressed sections -------------------------------------------------------------------- */

/* The sections that functions and lines need. */
static const char *const needed[] = {
    ".debug_info",    ".debug_abbrev",   ".debug_line",        ".debug_line_str",
    ".debug_str",     ".debug_addr",     ".debug_str_offsets", ".debug_ranges",
    ".debug_aranges", ".debug_rnglists", ".debug_types",       ".gnu_debugaltlink",
};

/* Maximum size of a build id. */
#define BUILD_ID_BYTES 40

#define N_NEEDED BRZ_COUNT_OF(needed)

/* A file of which some sections are compressed. */
typedef struct packed_file {
    image_section sections[N_NEEDED];
    packed_section packed[N_NEEDED];
} packed_file;

/* Takes a section. Returns false if its form is an unusual one. */
static bool take_section(packed_file *f, size_t i, const elf_image *e)
{
    GElf_Shdr h;
    Elf64_Chdr packed;
    Elf_Scn *s = elf_image_section(e, needed[i]);
    Elf_Data *d = s == NULL ? NULL : elf_rawdata(s, NULL);
    f->sections[i] = (image_section){.name = needed[i]};
    f->packed[i] = (packed_section){.stream = {NULL, 0}};
    if (s == NULL)
        return true;
    if (d == NULL || gelf_getshdr(s, &h) == NULL)
        return false;
    if (!(h.sh_flags & SHF_COMPRESSED)) {
        f->sections[i].bytes = (unit_bytes){d->d_buf, d->d_buf == NULL ? 0 : d->d_size};
        return true;
    }
    if (d->d_buf == NULL || d->d_size < sizeof packed)
        return false;
    memcpy(&packed, d->d_buf, sizeof packed);
    size_t len = d->d_size - sizeof packed;
    f->packed[i] =
        (packed_section){{(const uint8_t *)d->d_buf + sizeof packed, len}, packed.ch_type};
    f->sections[i].bytes = (unit_bytes){NULL, (size_t)packed.ch_size};
    return packed.ch_size <= COPY_MAX && packed_section_is_plausible(&f->packed[i], packed.ch_size);
}

/* Returns whether a file has sections of old forms: libdw can read them. */
static bool has_old_sections(const elf_image *e)
{
    return elf_image_section(e, ".zdebug_info") != NULL;
}

/* Returns whether a section is useful up to its damage, since its units follow one another. */
static bool has_units(const image_section *s)
{
    return strcmp(s->name, ".debug_info") == 0 || strcmp(s->name, ".debug_line") == 0;
}

/* Unpacks the compressed sections into an image; *is_whole says whether none is damaged. Returns
 * false if one is damaged and useless. */
static bool unpack_sections(const packed_file *f, bool *is_whole)
{
    *is_whole = true;
    for (size_t i = 0; i < N_NEEDED; i++) {
        const image_section *s = &f->sections[i];
        if (f->packed[i].stream.data == NULL)
            continue;
        bool good;
        size_t n = packed_section_unpack(&f->packed[i], s->place, s->bytes.len, &good);
        *is_whole &= good;
        if (n < s->bytes.len && !has_units(s))
            return false;
    }
    return true;
}

/* Takes the sections that functions and lines need. Returns false if the file has an unusual form.
 */
static bool take_sections(packed_file *f, const elf_image *e)
{
    GElf_Ehdr header;
    bool good = gelf_getclass(e->elf) == ELFCLASS64 && section_image_is_native(e) &&
                gelf_getehdr(e->elf, &header) != NULL && header.e_type != ET_REL &&
                !has_old_sections(e);
    for (size_t i = 0; i < N_NEEDED && good; i++)
        good = take_section(f, i, e);
    return good;
}

/* Returns the sizes of the sections that are compressed. */
static packed_sizes size_of_packed(const packed_file *f)
{
    packed_sizes s = {0, 0};
    for (size_t i = 0; i < N_NEEDED; i++)
        if (f->packed[i].stream.data != NULL)
            packed_sizes_add(&s, f->packed[i].stream.len, f->sections[i].bytes.len);
    return s;
}

/* Unpacks the sections into an image of a size. Returns memory that the caller frees, or NULL. */
static uint8_t *make_image(packed_file *f, const elf_image *e, size_t size, bool *is_whole)
{
    uint8_t *image = size <= COPY_MAX ? section_image_make(e, f->sections, N_NEEDED) : NULL;
    if (image != NULL && unpack_sections(f, is_whole))
        return image;
    free(image);
    return NULL;
}

/* ---- kept images ---------------------------------------------------------------------------- */

/* Smaller images are made as fast as they are loaded. */
#define KEPT_MIN ((size_t)1 << 20)

/* The version of the form of images, in front of the build id of the file. */
#define KEPT_AS "dwarf1-"

#define KEY_SIZE (sizeof KEPT_AS + (size_t)2 * BUILD_ID_BYTES)

/* Returns whether the image of a file should be kept. */
static bool is_worth_keeping(const elf_image *e, size_t size)
{
    return size >= KEPT_MIN && e->path.len > 0 && e->build_id.len > 0 &&
           e->build_id.len <= BUILD_ID_BYTES;
}

/* Writes the key of a file's image. */
static brz_str make_key(const elf_image *e, char to[KEY_SIZE])
{
    static const char digits[] = "0123456789abcdef";
    size_t n = sizeof KEPT_AS - 1;
    memcpy(to, KEPT_AS, n);
    for (size_t i = 0; i < e->build_id.len; i++) {
        uint8_t byte = (uint8_t)e->build_id.data[i];
        to[n++] = digits[byte >> 4];
        to[n++] = digits[byte & 15];
    }
    return brz_str_of(to, n);
}

/* Returns the image of a file's sections: one that was kept, or a new one, which is *made. Damage
 * is not kept: its cause may have been a lack of memory. */
static const uint8_t *find_image(packed_file *f, const elf_image *e, size_t size, brz_ctx *ctx,
                                 void **made)
{
    char text[KEY_SIZE];
    brz_str kept;
    bool keeps = is_worth_keeping(e, size);
    brz_str key = keeps ? make_key(e, text) : brz_str_of("", 0);
    if (keeps && ctx->host->load(ctx, e->path, key, &kept) &&
        section_image_has_form((const uint8_t *)kept.data, kept.len, e, f->sections, N_NEEDED))
        return (const uint8_t *)kept.data;
    bool is_whole = false;
    const uint8_t *image = *made = make_image(f, e, size, &is_whole);
    if (keeps && image != NULL && is_whole)
        ctx->host->save(ctx, e->path, key, brz_str_of((const char *)image, size));
    return image;
}

/* Opens an image with the unpacked sections that functions and lines need. Returns false on
 * damage. */
static bool open_unpacked(dwarf_image *d, size_t part, packed_file *f, const elf_image *e,
                          brz_ctx *ctx)
{
    size_t size = section_image_size(f->sections, N_NEEDED);
    const uint8_t *image = find_image(f, e, size, ctx, &d->copies[part]);
    d->sizes[part] = d->copies[part] != NULL ? size : 0;
    /* libelf writes only to images with compressed sections. */
    d->elfs[part] = image == NULL ? NULL : elf_memory((char *)(uintptr_t)image, size);
    if (d->elfs[part] == NULL) {
        free(d->copies[part]);
        d->copies[part] = NULL;
        d->sizes[part] = 0;
    }
    return d->elfs[part] != NULL;
}

/* ---- images --------------------------------------------------------------------------------- */

/* Takes memory for unpacking from the budget. Returns false if it is too much. */
static bool take_memory(dwarf_image *d, size_t part, const elf_image *e, packed_sizes s)
{
    if (packed_budget_take(d->budget, e, s, &d->claims[part]))
        return true;
    d->needed = s.unpacked;
    return false;
}

/* Opens the DWARF of a copy, to which libelf writes the unpacked sections. */
static Dwarf *open_copy(dwarf_image *d, size_t part, const elf_image *e)
{
    packed_sizes s = packed_sizes_of(e);
    if (!take_memory(d, part, e, s))
        return NULL;
    d->copies[part] = e->len <= COPY_MAX ? malloc(e->len) : NULL;
    if (d->copies[part] == NULL) {
        d->needed = s.unpacked;
        return NULL;
    }
    memcpy(d->copies[part], e->data, e->len);
    d->sizes[part] = e->len;
    d->elfs[part] = elf_memory(d->copies[part], e->len);
    return d->elfs[part] == NULL ? NULL : dwarf_begin_elf(d->elfs[part], DWARF_C_READ, NULL);
}

/* Opens the DWARF of an image or, if libelf would write to it, of a copy. */
static Dwarf *open_whole(dwarf_image *d, size_t part, const elf_image *e)
{
    return e->is_packed ? open_copy(d, part, e) : dwarf_begin_elf(e->elf, DWARF_C_READ, NULL);
}

/* Opens the parts of the DWARF of an image that functions and lines need. */
static Dwarf *open_part(dwarf_image *d, size_t part, const elf_image *e, brz_ctx *ctx)
{
    packed_file f;
    if (!e->is_packed || !take_sections(&f, e))
        return open_whole(d, part, e);
    if (!take_memory(d, part, e, size_of_packed(&f)))
        return NULL;
    if (open_unpacked(d, part, &f, e, ctx))
        return dwarf_begin_elf(d->elfs[part], DWARF_C_READ, NULL);
    packed_budget_return(d->budget, &d->claims[part]);
    return open_whole(d, part, e);
}

/* Returns whether DWARF refers to a file with shared parts, which libdw would open itself. */
static bool names_other_file(Dwarf *dwarf)
{
    const char *name;
    const void *id;
    return dwelf_dwarf_gnu_debugaltlink(dwarf, &name, &id) != 0;
}

/* Opens the file with the shared parts, which may not name another one. */
static bool open_alt(dwarf_image *d, const elf_image *alt, brz_ctx *ctx)
{
    if (alt == NULL || alt->elf == NULL || alt->is_shared)
        return false;
    d->alt = open_part(d, 1, alt, ctx);
    if (d->alt == NULL || names_other_file(d->alt))
        return false;
    dwarf_setalt(d->dwarf, d->alt);
    return true;
}

size_t dwarf_image_copied(const dwarf_image *d)
{
    return d->sizes[0] + d->sizes[1];
}

bool dwarf_image_took_reserve(const dwarf_image *d)
{
    return d->claims[0].taken > 0 || d->claims[1].taken > 0;
}

void dwarf_image_close(dwarf_image *d)
{
    if (d->dwarf != NULL)
        dwarf_end(d->dwarf);
    if (d->alt != NULL)
        dwarf_end(d->alt);
    for (size_t i = 0; i < 2; i++) {
        if (d->elfs[i] != NULL)
            elf_end(d->elfs[i]);
        free(d->copies[i]);
        if (d->budget != NULL)
            packed_budget_return(d->budget, &d->claims[i]);
    }
    memset(d, 0, sizeof *d);
}

/* Releases an image that is not open, and keeps how much it needs. */
static bool fail(dwarf_image *d)
{
    uint64_t bytes = d->needed;
    dwarf_image_close(d);
    d->needed = bytes;
    return false;
}

bool dwarf_image_open(dwarf_image *d, const elf_image *e, const elf_image *alt,
                      packed_budget *budget, brz_ctx *ctx)
{
    *d = (dwarf_image){.budget = budget};
    if (e->elf == NULL)
        return false;
    d->dwarf = open_part(d, 0, e, ctx);
    bool is_shared = d->dwarf != NULL && (e->is_shared || names_other_file(d->dwarf));
    bool good = d->dwarf != NULL && (!is_shared || open_alt(d, alt, ctx));
    return good || fail(d);
}

bool dwarf_image_open_frames(dwarf_image *d, const elf_image *e, packed_budget *budget)
{
    *d = (dwarf_image){.budget = budget};
    d->dwarf = e->elf == NULL ? NULL : open_whole(d, 0, e);
    return d->dwarf != NULL || fail(d);
}
