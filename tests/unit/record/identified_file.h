/* SPDX-License-Identifier: MIT */
/* Writes ELF files with a build id. */
#ifndef UNIT_IDENTIFIED_FILE_H
#define UNIT_IDENTIFIED_FILE_H

#include "unit.h"

#include <elf.h>

/* An ELF file whose only segment is a note with a build id. */
typedef struct identified_file {
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    Elf64_Nhdr note;
    char name[4], id[8];
} identified_file;

/* Writes a file with a build id of 8 bytes. */
static inline void write_identified_file(const char *path, const char *id)
{
    identified_file f = {
        .header = {.e_ident = ELFMAG, .e_phentsize = sizeof f.segment, .e_phnum = 1},
        .segment = {.p_type = PT_NOTE},
        .note = {.n_namesz = 4, .n_descsz = 8, .n_type = NT_GNU_BUILD_ID},
        .name = "GNU"};
    f.header.e_ident[EI_CLASS] = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    f.header.e_ident[EI_DATA] = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB : ELFDATA2LSB;
    f.header.e_phoff = offsetof(identified_file, segment);
    f.segment.p_offset = offsetof(identified_file, note);
    f.segment.p_filesz = sizeof f - offsetof(identified_file, note);
    memcpy(f.id, id, sizeof f.id);
    file_write(path, &f, sizeof f);
}

#endif
