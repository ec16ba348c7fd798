/* SPDX-License-Identifier: MIT */
/* A piece of a section of DWARF. */
#ifndef SYMBOLS_UNIT_BYTES_H
#define SYMBOLS_UNIT_BYTES_H

#include <stddef.h>
#include <stdint.h>

typedef struct unit_bytes {
    const uint8_t *data;
    size_t len;
} unit_bytes;

#endif
