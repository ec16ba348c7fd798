/* SPDX-License-Identifier: MIT */
/* Reads ELF files that are in memory: their identity, segments and sections. */
#ifndef SYMBOLS_ELF_IMAGE_H
#define SYMBOLS_ELF_IMAGE_H

#include <brazier/host.h>

/* A segment that is loaded into memory. */
typedef struct elf_segment {
    uint64_t address; /* in memory */
    uint64_t size;    /* in the file: the rest in memory is zero */
    uint64_t offset;  /* in the file */
} elf_segment;

typedef struct elf_image {
    void *elf; /* Elf of libelf */
    const uint8_t *data;
    size_t len;
    brz_str path; /* of the file, set by who opens it; empty: none */
    elf_segment *segments;
    size_t n_segments;
    brz_str build_id;   /* its bytes; empty: none */
    brz_str debug_link; /* name of the file with its symbols; empty: none */
    uint32_t debug_crc;
    brz_str alt_link;          /* name of the file with shared DWARF (dwz); empty: none */
    brz_str alt_id;            /* build id of that file */
    const uint8_t *mini_debug; /* .gnu_debugdata: see mini_debug.h */
    size_t mini_debug_len;     /* 0: none */
    void *owned;               /* memory of the file that closing frees; NULL: none */
    uint64_t entry;            /* address where the program begins; 0: none */
    uint32_t machine;          /* EM_* */
    bool has_symbols;          /* a table of all symbols, not only of those for linking */
    bool has_debug;            /* DWARF */
    bool has_debug_frames;     /* .debug_frame */
    bool is_packed;            /* a section is compressed: libelf writes to such images */
    bool has_packed_frames;    /* likewise, one for unwinding */
    bool is_shared;            /* DWARF that refers to another file: see dwarf_image.h */
} elf_image;

/* Opens an image. The bytes must stay valid and mapped. Returns false if they are not an ELF file.
 */
bool elf_image_open(elf_image *e, brz_ctx *ctx, const uint8_t *data, size_t len);

/* Converts an offset in the file to an address. Returns false if no segment has it. */
bool elf_image_address(const elf_image *e, uint64_t offset, uint64_t *address);

/* Converts an address to an offset in the file, likewise. */
bool elf_image_offset(const elf_image *e, uint64_t address, uint64_t *offset);

/* Returns the byte order of the file: BRZ_LITTLE_ENDIAN or BRZ_BIG_ENDIAN. */
uint32_t elf_image_order(const elf_image *e);

/* Returns the section of a name, an Elf_Scn of libelf, or NULL. */
void *elf_image_section(const elf_image *e, const char *name);

/* Returns the name of a section, an Elf_Scn of libelf; empty for NULL. */
brz_str elf_image_name(const elf_image *e, void *section);

/* Returns the checksum by which .gnu_debuglink identifies a file. */
uint32_t elf_image_checksum(const uint8_t *data, size_t len);

void elf_image_close(elf_image *e);

#endif
