/* SPDX-License-Identifier: MIT */
/* Makes ELF files in memory that have only some sections. */
#include "section_image.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LARGE_PAGE ((size_t)2 << 20)

/* Name of the section with the names. */
#define NAMES ".shstrtab"

static size_t aligned(size_t n)
{
    return (n + 7) / 8 * 8;
}

/* Returns the size of the names of sections. */
static size_t size_of_names(const image_section *sections, size_t n)
{
    size_t size = 1 + sizeof NAMES;
    for (size_t i = 0; i < n; i++)
        size += strlen(sections[i].name) + 1;
    return size;
}

size_t section_image_size(const image_section *sections, size_t n)
{
    size_t size = sizeof(Elf64_Ehdr) + aligned(size_of_names(sections, n));
    for (size_t i = 0; i < n; i++)
        size += aligned(sections[i].bytes.len);
    return size + (n + 2) * sizeof(Elf64_Shdr);
}

bool section_image_is_native(const elf_image *e)
{
    return e->data[EI_DATA] == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB : ELFDATA2LSB);
}

static Elf64_Ehdr make_header(const elf_image *like, size_t headers, size_t n)
{
    Elf64_Ehdr h = {.e_type = ET_REL,
                    .e_machine = (Elf64_Half)like->machine,
                    .e_version = EV_CURRENT,
                    .e_shoff = headers,
                    .e_ehsize = sizeof h,
                    .e_shentsize = sizeof(Elf64_Shdr),
                    .e_shnum = (Elf64_Half)(n + 2),
                    .e_shstrndx = (Elf64_Half)(n + 1)};
    memcpy(h.e_ident, like->data, EI_NIDENT);
    h.e_ident[EI_CLASS] = ELFCLASS64;
    return h;
}

/* Writes the name of a section. Returns its header. */
static Elf64_Shdr write_name(uint8_t *names, size_t *used, const char *name, uint32_t type)
{
    size_t n = strlen(name) + 1;
    Elf64_Shdr h = {.sh_name = (Elf64_Word)*used, .sh_type = type, .sh_addralign = 1};
    memcpy(names + *used, name, n);
    *used += n;
    return h;
}

/* Allocates zeroed memory, the large one in large pages where the system has them. */
static uint8_t *allocate(size_t size)
{
    uint8_t *memory = calloc(1, size);
#ifdef MADV_HUGEPAGE
    size_t before = (LARGE_PAGE - (uintptr_t)memory % LARGE_PAGE) % LARGE_PAGE;
    if (memory != NULL && size > before && size - before >= LARGE_PAGE)
        madvise(memory + before, (size - before) / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE);
#endif
    return memory;
}

/* Sets the place of a section in the file. Empty ones are as if they did not exist. */
static Elf64_Shdr place_section(Elf64_Shdr h, size_t at, size_t size)
{
    if (size == 0)
        return (Elf64_Shdr){.sh_type = SHT_NULL};
    h.sh_offset = at;
    h.sh_size = size;
    return h;
}

/* Returns the size of the names and the headers of the sections, which follow these. */
static size_t size_of_end(const image_section *sections, size_t n)
{
    return aligned(size_of_names(sections, n)) + (n + 2) * sizeof(Elf64_Shdr);
}

/* Writes the names and headers of the sections, which follow these, to zeroed memory. */
static void write_end(const image_section *sections, size_t n, uint8_t *to)
{
    Elf64_Shdr headers[IMAGE_SECTIONS_MAX + 2] = {{.sh_type = SHT_NULL}};
    size_t at = sizeof(Elf64_Ehdr), used = 1;
    for (size_t i = 0; i < n; i++) {
        Elf64_Shdr h = write_name(to, &used, sections[i].name, SHT_PROGBITS);
        headers[i + 1] = place_section(h, at, sections[i].bytes.len);
        at += aligned(sections[i].bytes.len);
    }
    Elf64_Shdr names = write_name(to, &used, NAMES, SHT_STRTAB);
    headers[n + 1] = place_section(names, at, used);
    memcpy(to + aligned(size_of_names(sections, n)), headers, (n + 2) * sizeof *headers);
}

uint8_t *section_image_make(const elf_image *like, image_section *sections, size_t n)
{
    size_t size = section_image_size(sections, n), at = sizeof(Elf64_Ehdr);
    uint8_t *image = n > IMAGE_SECTIONS_MAX ? NULL : allocate(size);
    if (image == NULL)
        return NULL;
    Elf64_Ehdr header = make_header(like, size - (n + 2) * sizeof(Elf64_Shdr), n);
    memcpy(image, &header, sizeof header);
    for (size_t i = 0; i < n; i++) {
        image_section *s = &sections[i];
        s->place = s->bytes.len > 0 ? image + at : NULL;
        if (s->bytes.data != NULL && s->bytes.len > 0)
            memcpy(s->place, s->bytes.data, s->bytes.len);
        at += aligned(s->bytes.len);
    }
    write_end(sections, n, image + at);
    return image;
}

bool section_image_has_form(const uint8_t *image, size_t size, const elf_image *like,
                            const image_section *sections, size_t n)
{
    if (n > IMAGE_SECTIONS_MAX || size != section_image_size(sections, n))
        return false;
    size_t end = size_of_end(sections, n);
    uint8_t *expected = calloc(1, end);
    Elf64_Ehdr header = make_header(like, size - (n + 2) * sizeof(Elf64_Shdr), n);
    if (expected != NULL)
        write_end(sections, n, expected);
    bool good = expected != NULL && memcmp(image, &header, sizeof header) == 0 &&
                memcmp(image + size - end, expected, end) == 0;
    free(expected);
    return good;
}
