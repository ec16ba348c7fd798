/* SPDX-License-Identifier: MIT */
/* Opens the DWARF of ELF files that are in memory. libdw opens no file by itself: a file to which
 * DWARF refers is one that the caller has opened, or it is not used. */
#ifndef SYMBOLS_DWARF_IMAGE_H
#define SYMBOLS_DWARF_IMAGE_H

#include "../elf/packed_budget.h"

typedef struct dwarf_image {
    void *dwarf; /* Dwarf of libdw; NULL: none */
    void *alt;   /* Dwarf of the file with the shared parts; NULL: none */
    void *elfs[2];
    size_t sizes[2];       /* of `copies` */
    void *copies[2];       /* of files with compressed sections, which libelf changes; NULL: none */
    packed_budget *budget; /* NULL: not open */
    packed_claim claims[2];
    uint64_t needed; /* bytes that a file unpacks to, if that is too much; 0: it is not */
} dwarf_image;

/* Opens the DWARF of an image, which must stay open. `alt` is the file that its .gnu_debugaltlink
 * names, or NULL. What compressed sections unpack to is kept for later runs, if the host does so.
 * `budget` must stay where it is. Returns false if there is no DWARF, if a file that it needs is
 * missing, or if it unpacks to more than the budget has: d->needed says how much. */
bool dwarf_image_open(dwarf_image *d, const elf_image *e, const elf_image *alt,
                      packed_budget *budget, brz_ctx *ctx);

/* Opens the DWARF of an image for its .debug_frame, which refers to no other file, likewise. */
bool dwarf_image_open_frames(dwarf_image *d, const elf_image *e, packed_budget *budget);

/* Returns the size of unpacked sections and copies of files that are not those of the cache. */
size_t dwarf_image_copied(const dwarf_image *d);

/* Returns whether an image took memory of the budget's reserve. */
bool dwarf_image_took_reserve(const dwarf_image *d);

/* Releases it; a zeroed image is allowed. */
void dwarf_image_close(dwarf_image *d);

#endif
