/* SPDX-License-Identifier: MIT */
/* Reads an untrusted ELF file for this machine.
 *
 * Data is copied out only if all of it is inside the file. Offsets, counts and sizes in the file
 * therefore cannot lead outside of it, and alignment does not matter.
 */
#ifndef BRZ_ELF_FILE_H
#define BRZ_ELF_FILE_H

#include <brazier/base.h>

#include <elf.h>

#if UINTPTR_MAX > UINT32_MAX
typedef Elf64_Ehdr brz_elf_header;
typedef Elf64_Phdr brz_elf_segment;
typedef Elf64_Shdr brz_elf_section;
typedef Elf64_Dyn brz_elf_dynamic;
typedef Elf64_Sym brz_elf_symbol;
#else
typedef Elf32_Ehdr brz_elf_header;
typedef Elf32_Phdr brz_elf_segment;
typedef Elf32_Shdr brz_elf_section;
typedef Elf32_Dyn brz_elf_dynamic;
typedef Elf32_Sym brz_elf_symbol;
#endif

typedef struct brz_elf_file {
    const uint8_t *data; /* mapped file, or a copy of its beginning */
    size_t len;
    uint64_t file_len; /* more than `len` if only the beginning was read */
    bool is_mapped;
    brz_elf_header header;
} brz_elf_file;

typedef enum brz_elf_found {
    BRZ_ELF_GOOD,          /* the header is valid; nothing else has been checked */
    BRZ_ELF_FOREIGN,       /* not an ELF file */
    BRZ_ELF_OTHER_MACHINE, /* other word size or byte order */
    BRZ_ELF_CUT_OFF,       /* truncated within the header */
    BRZ_ELF_UNREADABLE,    /* see errno */
} brz_elf_found;

/* Maps the file of `fd`, which may be closed afterwards. If `fd` is -1, returns BRZ_ELF_UNREADABLE
 * with errno unchanged. Call brz_elf_close() in any case. */
brz_elf_found brz_elf_open(brz_elf_file *e, int fd);
void brz_elf_close(brz_elf_file *e);

/* Does the same with the first `size` bytes of the file only, which it reads into `buffer`: for a
 * few bytes at the beginning, reading takes less time than mapping. `file_len` is the length of the
 * file, or 0 if it is not known. */
brz_elf_found brz_elf_open_beginning(brz_elf_file *e, int fd, uint64_t file_len, uint8_t *buffer,
                                     size_t size);

/* The following functions fill in *to and return true, or return false if the data is not
 * completely inside the file. */

/* Copies `size` bytes at an offset of the file. */
bool brz_elf_copy(const brz_elf_file *e, uint64_t offset, void *to, size_t size);

/* Copy the i-th segment or section listed in the header. */
bool brz_elf_segment_at(const brz_elf_file *e, size_t i, brz_elf_segment *to);
bool brz_elf_section_at(const brz_elf_file *e, size_t i, brz_elf_section *to);

/* Copies the first section of a name. */
bool brz_elf_find_section(const brz_elf_file *e, const char *name, brz_elf_section *to);

/* Copies the i-th entry, of `size` bytes, of a section. */
bool brz_elf_entry_at(const brz_elf_file *e, const brz_elf_section *s, size_t i, void *to,
                      size_t size);

/* Returns the terminated text at an offset of the file, or NULL if there is none or it is not
 * terminated. */
const char *brz_elf_text(const brz_elf_file *e, uint64_t offset);

#endif
