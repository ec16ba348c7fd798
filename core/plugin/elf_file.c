/* SPDX-License-Identifier: MIT */
/* Reads an untrusted ELF file. All access goes through brz_elf_copy() and brz_elf_text(), which
 * check their arguments against the size of the file.
 *
 * Sums of offsets may wrap around if the file is invalid: the result is an offset like any other
 * and is checked likewise.
 */
#include "plugin/elf_file.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#if UINTPTR_MAX > UINT32_MAX
#define OWN_CLASS ELFCLASS64
#else
#define OWN_CLASS ELFCLASS32
#endif

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define OWN_ORDER ELFDATA2MSB
#else
#define OWN_ORDER ELFDATA2LSB
#endif

bool brz_elf_copy(const brz_elf_file *e, uint64_t offset, void *to, size_t size)
{
    if (offset > e->len || e->len - offset < size)
        return false;
    memcpy(to, e->data + offset, size);
    return true;
}

const char *brz_elf_text(const brz_elf_file *e, uint64_t offset)
{
    if (offset >= e->len || memchr(e->data + offset, '\0', e->len - (size_t)offset) == NULL)
        return NULL;
    return (const char *)e->data + offset;
}

bool brz_elf_segment_at(const brz_elf_file *e, size_t i, brz_elf_segment *to)
{
    return i < e->header.e_phnum &&
           brz_elf_copy(e, e->header.e_phoff + (uint64_t)i * e->header.e_phentsize, to, sizeof *to);
}

bool brz_elf_section_at(const brz_elf_file *e, size_t i, brz_elf_section *to)
{
    return i < e->header.e_shnum &&
           brz_elf_copy(e, e->header.e_shoff + (uint64_t)i * e->header.e_shentsize, to, sizeof *to);
}

bool brz_elf_entry_at(const brz_elf_file *e, const brz_elf_section *s, size_t i, void *to,
                      size_t size)
{
    return i < s->sh_size / size && brz_elf_copy(e, s->sh_offset + (uint64_t)i * size, to, size);
}

bool brz_elf_find_section(const brz_elf_file *e, const char *name, brz_elf_section *to)
{
    brz_elf_section names;
    if (!brz_elf_section_at(e, e->header.e_shstrndx, &names))
        return false;
    for (size_t i = 0; brz_elf_section_at(e, i, to); i++) {
        const char *text = brz_elf_text(e, names.sh_offset + to->sh_name);
        if (text != NULL && strcmp(text, name) == 0)
            return true;
    }
    return false;
}

static brz_elf_found check_header(brz_elf_file *e)
{
    const unsigned char *ident = e->header.e_ident;
    if (e->len < SELFMAG || memcmp(e->data, ELFMAG, SELFMAG) != 0)
        return BRZ_ELF_FOREIGN;
    if (!brz_elf_copy(e, 0, &e->header, sizeof e->header))
        return BRZ_ELF_CUT_OFF;
    return ident[EI_CLASS] == OWN_CLASS && ident[EI_DATA] == OWN_ORDER ? BRZ_ELF_GOOD
                                                                       : BRZ_ELF_OTHER_MACHINE;
}

/* Determines the length of the file, unless it is known. */
static brz_elf_found measure(brz_elf_file *e, int fd, uint64_t file_len)
{
    struct stat st;
    memset(e, 0, sizeof *e);
    e->file_len = file_len;
    if (file_len > 0)
        return BRZ_ELF_GOOD;
    if (fd < 0 || fstat(fd, &st) != 0)
        return BRZ_ELF_UNREADABLE;
    e->file_len = st.st_size > 0 ? (uint64_t)st.st_size : 0;
    return e->file_len > 0 ? BRZ_ELF_GOOD : BRZ_ELF_FOREIGN;
}

brz_elf_found brz_elf_open(brz_elf_file *e, int fd)
{
    brz_elf_found found = measure(e, fd, 0);
    if (found != BRZ_ELF_GOOD)
        return found;
    void *data = mmap(NULL, (size_t)e->file_len, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED)
        return BRZ_ELF_UNREADABLE;
    e->data = data;
    e->len = (size_t)e->file_len;
    e->is_mapped = true;
    return check_header(e);
}

brz_elf_found brz_elf_open_beginning(brz_elf_file *e, int fd, uint64_t file_len, uint8_t *buffer,
                                     size_t size)
{
    brz_elf_found found = measure(e, fd, file_len);
    if (found != BRZ_ELF_GOOD)
        return found;
    ssize_t n = pread(fd, buffer, size, 0);
    if (n < 0)
        return BRZ_ELF_UNREADABLE;
    e->data = buffer;
    e->len = (size_t)n;
    return check_header(e);
}

void brz_elf_close(brz_elf_file *e)
{
    if (e->is_mapped)
        munmap((void *)(uintptr_t)e->data, e->len);
    memset(e, 0, sizeof *e);
}
