/* Opens the DWARF of ELF files that are in memory, by libdw. */
#include "dwarf_image.h"

#include "packed_section.h"
#include "section_image.h"

#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

/* Maximum size of a file that is copied. */
#define COPY_MAX ((size_t)1 << 30)

/* ---- compressed sections -------------------------------------------------------------------- */

/* The sections that functions and lines need. */
static const char *const needed[] = {
    ".debug_info",    ".debug_abbrev",   ".debug_line",        ".debug_line_str",
    ".debug_str",     ".debug_addr",     ".debug_str_offsets", ".debug_ranges",
    ".debug_aranges", ".debug_rnglists", ".debug_types",       ".gnu_debugaltlink",
};

#define N_NEEDED (sizeof needed / sizeof *needed)

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

/* Returns whether a file has sections of old forms: libdw knows how to read them. */
static bool has_old_sections(const elf_image *e)
{
    return elf_image_section(e, ".zdebug_info") != NULL;
}

/* Returns whether a section is useful up to its damage: one unit follows the other. */
static bool has_units(const image_section *s)
{
    return strcmp(s->name, ".debug_info") == 0 || strcmp(s->name, ".debug_line") == 0;
}

/* Unpacks the compressed sections into an image. Returns false if one is damaged and useless. */
static bool unpack_sections(const packed_file *f)
{
    for (size_t i = 0; i < N_NEEDED; i++) {
        const image_section *s = &f->sections[i];
        if (f->packed[i].stream.data == NULL)
            continue;
        size_t n = packed_section_unpack(&f->packed[i], s->place, s->bytes.len);
        if (n < s->bytes.len && !has_units(s))
            return false;
    }
    return true;
}

/* Unpacks what functions and lines need, into a new image. Returns false if the file has an unusual
 * form or is damaged. */
static bool unpack_part(dwarf_image *d, size_t part, const elf_image *e)
{
    packed_file f;
    GElf_Ehdr header;
    bool good = gelf_getclass(e->elf) == ELFCLASS64 && section_image_is_native(e) &&
                gelf_getehdr(e->elf, &header) != NULL && header.e_type != ET_REL &&
                !has_old_sections(e);
    for (size_t i = 0; i < N_NEEDED && good; i++)
        good = take_section(&f, i, e);
    size_t size = good ? section_image_size(f.sections, N_NEEDED) : SIZE_MAX;
    d->copies[part] = size <= COPY_MAX ? section_image_make(e, f.sections, N_NEEDED) : NULL;
    good = d->copies[part] != NULL && unpack_sections(&f);
    d->elfs[part] = good ? elf_memory(d->copies[part], size) : NULL;
    if (d->elfs[part] == NULL) {
        free(d->copies[part]);
        d->copies[part] = NULL;
    }
    return d->elfs[part] != NULL;
}

/* ---- images --------------------------------------------------------------------------------- */

/* Opens the DWARF of an image or, if libelf would write to it, of a copy. */
static Dwarf *open_whole(dwarf_image *d, size_t part, const elf_image *e)
{
    if (!e->is_packed)
        return dwarf_begin_elf(e->elf, DWARF_C_READ, NULL);
    d->copies[part] = e->len <= COPY_MAX ? malloc(e->len) : NULL;
    if (d->copies[part] == NULL)
        return NULL;
    memcpy(d->copies[part], e->data, e->len);
    d->elfs[part] = elf_memory(d->copies[part], e->len);
    return d->elfs[part] == NULL ? NULL : dwarf_begin_elf(d->elfs[part], DWARF_C_READ, NULL);
}

/* Opens what functions and lines need of the DWARF of an image. */
static Dwarf *open_part(dwarf_image *d, size_t part, const elf_image *e)
{
    if (e->is_packed && unpack_part(d, part, e))
        return dwarf_begin_elf(d->elfs[part], DWARF_C_READ, NULL);
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
static bool open_alt(dwarf_image *d, const elf_image *alt)
{
    if (alt == NULL || alt->elf == NULL || alt->is_shared)
        return false;
    d->alt = open_part(d, 1, alt);
    if (d->alt == NULL || names_other_file(d->alt))
        return false;
    dwarf_setalt(d->dwarf, d->alt);
    return true;
}

bool dwarf_image_open(dwarf_image *d, const elf_image *e, const elf_image *alt)
{
    memset(d, 0, sizeof *d);
    if (e->elf == NULL)
        return false;
    d->dwarf = open_part(d, 0, e);
    bool is_shared = d->dwarf != NULL && (e->is_shared || names_other_file(d->dwarf));
    if (d->dwarf != NULL && (!is_shared || open_alt(d, alt)))
        return true;
    dwarf_image_close(d);
    return false;
}

bool dwarf_image_open_frames(dwarf_image *d, const elf_image *e)
{
    memset(d, 0, sizeof *d);
    d->dwarf = e->elf == NULL ? NULL : open_whole(d, 0, e);
    if (d->dwarf != NULL)
        return true;
    dwarf_image_close(d);
    return false;
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
    }
    memset(d, 0, sizeof *d);
}
