/* SPDX-License-Identifier: MIT */
/* Unpacks compressed sections of ELF files. */
#ifndef SYMBOLS_PACKED_SECTION_H
#define SYMBOLS_PACKED_SECTION_H

#include "unit_bytes.h"

#include <stdbool.h>

/* A compressed section without its header. */
typedef struct packed_section {
    unit_bytes stream; /* without data: the section is not compressed */
    uint32_t type;     /* ELFCOMPRESS_* */
} packed_section;

/* Returns whether a type of compression is known, and a section of that size could be the result.
 */
bool packed_section_is_plausible(const packed_section *s, uint64_t size);

/* Unpacks a section to to[0..size). Returns the number of bytes that it has in front of any damage;
 * zeros follow them. A section of another size is damaged where the shorter one ends. A wrong
 * checksum does not say where the damage is: all bytes are returned. *is_whole says whether the
 * section is undamaged. */
size_t packed_section_unpack(const packed_section *s, uint8_t *to, size_t size, bool *is_whole);

#endif
