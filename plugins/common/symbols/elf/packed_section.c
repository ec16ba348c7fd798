/* SPDX-License-Identifier: MIT */
/* Unpacks compressed sections of ELF files, by libzstd, libdeflate, which takes less than half the
 * time of zlib, and zlib, which unpacks the bytes in front of damage. */
#include "packed_section.h"

#include <elf.h>
#include <limits.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#ifdef BRZ_HAS_LIBDEFLATE
#include <libdeflate.h>
#endif

#ifndef ELFCOMPRESS_ZSTD
#define ELFCOMPRESS_ZSTD 2
#endif

/* Unpacked data is at most this many times as long: of zlib, and of zstd in useful streams. */
#define ZLIB_GROWTH_MAX 1032
#define ZSTD_GROWTH_MAX ((size_t)1 << 16)

bool packed_section_is_plausible(const packed_section *s, uint64_t size)
{
    bool is_zlib = s->type == ELFCOMPRESS_ZLIB;
    return (is_zlib || s->type == ELFCOMPRESS_ZSTD) &&
           size / (is_zlib ? ZLIB_GROWTH_MAX : ZSTD_GROWTH_MAX) <= s->stream.len;
}

/* ---- whole sections ------------------------------------------------------------------------- */

static bool unpack_zstd(unit_bytes stream, uint8_t *to, size_t size)
{
    return ZSTD_decompress(to, size, stream.data, stream.len) == size;
}

#ifdef BRZ_HAS_LIBDEFLATE
static bool unpack_zlib(unit_bytes stream, uint8_t *to, size_t size)
{
    struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
    if (d == NULL)
        return false;
    enum libdeflate_result result =
        libdeflate_zlib_decompress(d, stream.data, stream.len, to, size, NULL);
    libdeflate_free_decompressor(d);
    return result == LIBDEFLATE_SUCCESS;
}
#else
static bool unpack_zlib(unit_bytes stream, uint8_t *to, size_t size)
{
    (void)stream;
    (void)to;
    (void)size;
    return false; /* begin_zlib() unpacks good streams, too */
}
#endif

/* ---- damaged sections ----------------------------------------------------------------------- */

/* Returns a length as zlib has it. The sections are shorter than 4 GiB: see dwarf_image.c. */
static uInt length_of_zlib(size_t n)
{
    return n < UINT_MAX ? (uInt)n : UINT_MAX;
}

/* Unpacks the part in front of the damage. Returns its size; *is_whole says if there is no
 * damage. */
static size_t begin_zlib(unit_bytes stream, uint8_t *to, size_t size, bool *is_whole)
{
    z_stream z = {.next_in = (Bytef *)(uintptr_t)stream.data, .next_out = to};
    z.avail_in = length_of_zlib(stream.len);
    z.avail_out = length_of_zlib(size);
    if (inflateInit(&z) != Z_OK)
        return 0;
    bool is_good = inflate(&z, Z_FINISH) == Z_STREAM_END;
    size_t n = (size_t)(z.next_out - to);
    *is_whole = is_good && n == size;
    inflateEnd(&z);
    return n;
}

static size_t begin_zstd(unit_bytes stream, uint8_t *to, size_t size)
{
    ZSTD_DStream *z = ZSTD_createDStream();
    ZSTD_inBuffer in = {stream.data, stream.len, 0};
    ZSTD_outBuffer out = {to, size, 0};
    size_t left = 1;
    while (z != NULL && left > 0 && !ZSTD_isError(left) && in.pos < in.size && out.pos < size)
        left = ZSTD_decompressStream(z, &out, &in);
    ZSTD_freeDStream(z);
    return out.pos;
}

size_t packed_section_unpack(const packed_section *s, uint8_t *to, size_t size, bool *is_whole)
{
    bool is_zlib = s->type == ELFCOMPRESS_ZLIB;
    *is_whole = size == 0 ||
                (is_zlib ? unpack_zlib(s->stream, to, size) : unpack_zstd(s->stream, to, size));
    if (*is_whole)
        return size;
    size_t n =
        is_zlib ? begin_zlib(s->stream, to, size, is_whole) : begin_zstd(s->stream, to, size);
    memset(to + n, 0, size - n);
    return n;
}
