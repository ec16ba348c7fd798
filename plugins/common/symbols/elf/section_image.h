/* SPDX-License-Identifier: MIT */
/* Makes ELF files in memory, of 64 bits and in the byte order of this machine, that have only some
 * sections. */
#ifndef SYMBOLS_SECTION_IMAGE_H
#define SYMBOLS_SECTION_IMAGE_H

#include "elf_image.h"
#include "unit_bytes.h"

/* Maximum number of sections. */
#define IMAGE_SECTIONS_MAX 16

typedef struct image_section {
    const char *name;
    unit_bytes bytes; /* none: the section does not exist. Without data, the caller fills it */
    uint8_t *place;   /* of the bytes in the image, once it is made */
} image_section;

/* Returns the size of an image. */
size_t section_image_size(const image_section *sections, size_t n);

/* Makes an image for the machine of another one. Returns memory that the caller frees, or NULL. */
uint8_t *section_image_make(const elf_image *like, image_section *sections, size_t n);

/* Returns whether bytes are an image that section_image_make() could have made, with any bytes in
 * the sections. */
bool section_image_has_form(const uint8_t *image, size_t size, const elf_image *like,
                            const image_section *sections, size_t n);

/* Returns whether an image has the byte order of this machine. */
bool section_image_is_native(const elf_image *e);

#endif
