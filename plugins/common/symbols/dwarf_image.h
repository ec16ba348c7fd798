/* Opens the DWARF of ELF files that are in memory. libdw opens no file by itself: a file to which
 * DWARF refers is one that the caller has opened, or it is not used. */
#ifndef SYMBOLS_DWARF_IMAGE_H
#define SYMBOLS_DWARF_IMAGE_H

#include "elf_image.h"

typedef struct dwarf_image {
    void *dwarf; /* Dwarf of libdw; NULL: none */
    void *alt;   /* Dwarf of the file with the shared parts; NULL: none */
    void *elfs[2];
    void *copies[2]; /* of files with compressed sections, which libelf changes; NULL: none */
} dwarf_image;

/* Opens the DWARF of an image, which must stay open. `alt` is the file that its .gnu_debugaltlink
 * names, or NULL. What compressed sections unpack to is kept for later runs, if the host does so.
 * Returns false if there is no DWARF, or if a file that it needs is missing. */
bool dwarf_image_open(dwarf_image *d, const elf_image *e, const elf_image *alt, brz_ctx *ctx);

/* Opens the DWARF of an image for its .debug_frame, which refers to no other file. */
bool dwarf_image_open_frames(dwarf_image *d, const elf_image *e);

/* Releases it; a zeroed image is allowed. */
void dwarf_image_close(dwarf_image *d);

#endif
