/* Unpacks compressed sections: a zlib stream (RFC 1950, RFC 1951) whose unpacked size is known. It
 * takes little more than half the time of zlib, which serves streams of any size. */
#ifndef SYMBOLS_ZLIB_SECTION_H
#define SYMBOLS_ZLIB_SECTION_H

#include "unit_bytes.h"

#include <stdbool.h>

/* Unpacks a stream to to[0..size). Returns false if it is damaged, or has another size; the bytes
 * there are then undefined. */
bool zlib_section_unpack(unit_bytes stream, uint8_t *to, size_t size);

#endif
