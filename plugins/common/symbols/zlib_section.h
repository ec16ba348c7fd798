/* Unpacks compressed sections: a zlib stream (RFC 1950, RFC 1951) whose unpacked size is known. It
 * takes little more than half the time of zlib, which serves streams of any size. */
#ifndef SYMBOLS_ZLIB_SECTION_H
#define SYMBOLS_ZLIB_SECTION_H

#include "unit_bytes.h"

#include <stdbool.h>

/* A stream that is unpacked as far as it is needed. */
typedef struct zlib_stream {
    const uint8_t *at, *end; /* the packed bytes that are left */
    uint64_t bits;           /* bits in front of them */
    unsigned n_bits;
    size_t missing;             /* bytes that were read behind the end */
    uint8_t *start, *out, *cap; /* memory, the unpacked bytes in it, and its end */
    bool is_done, is_damaged;
} zlib_stream;

/* Begins to unpack a stream to to[0..size), without unpacking anything yet. */
void zlib_stream_open(zlib_stream *z, unit_bytes stream, uint8_t *to, size_t size);

/* Unpacks blocks until there are n bytes, or to the end if there are less. Returns false if the
 * stream is damaged up to there. At the end, it must have the right size and checksum. */
bool zlib_stream_reach(zlib_stream *z, size_t n);

/* Unpacks a stream to to[0..size). Returns false if it is damaged, or has another size; the bytes
 * there are then undefined. */
bool zlib_section_unpack(unit_bytes stream, uint8_t *to, size_t size);

#endif
