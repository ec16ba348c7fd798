/* SPDX-License-Identifier: MIT */
/* Unpacks .gnu_debugdata, by liblzma. */
#include "mini_debug.h"

#include <stdlib.h>
#include <string.h>

#ifdef BRZ_HAS_LZMA
#include <lzma.h>

/* Limits of the unpacked file, and of the memory for unpacking. A table of symbols shrinks to a
 * fifth, so a file that grows by far more is not one. */
#define GROWTH_MAX   32
#define UNPACKED_MIN ((size_t)1 << 20)
#define UNPACKED_MAX ((size_t)256 << 20)
#define MEMORY_MAX   (UINT64_C(128) << 20)

/* Returns the maximum size of the file that `len` bytes may unpack to. */
static size_t limit_of(size_t len)
{
    size_t limit = len < UNPACKED_MAX / GROWTH_MAX ? len * GROWTH_MAX : UNPACKED_MAX;
    return limit > UNPACKED_MIN ? limit : UNPACKED_MIN;
}

/* Doubles the memory up to the limit. Returns false if it has reached the limit. */
static bool grow(uint8_t **to, size_t *cap, size_t limit)
{
    size_t more = *cap < limit / 2 ? 2 * *cap : limit;
    uint8_t *bytes = more > *cap ? realloc(*to, more) : NULL;
    if (bytes == NULL)
        return false;
    *to = bytes;
    *cap = more;
    return true;
}

/* Unpacks one xz stream. Returns NULL if it is damaged or too large. */
static uint8_t *unpack(const uint8_t *data, size_t len, size_t *n)
{
    lzma_stream s = LZMA_STREAM_INIT;
    size_t limit = limit_of(len), cap = len;
    uint8_t *to = malloc(cap);
    lzma_ret rc = to == NULL ? LZMA_MEM_ERROR : lzma_stream_decoder(&s, MEMORY_MAX, 0);
    s.next_in = data;
    s.avail_in = len;
    while (rc == LZMA_OK) {
        size_t used = (size_t)s.total_out;
        if (used == cap && !grow(&to, &cap, limit))
            break;
        s.next_out = to + used;
        s.avail_out = cap - used;
        rc = lzma_code(&s, LZMA_FINISH);
    }
    *n = (size_t)s.total_out;
    lzma_end(&s);
    if (rc == LZMA_STREAM_END)
        return to;
    free(to);
    return NULL;
}

enum mini_debug_state mini_debug_open(const elf_image *e, brz_ctx *ctx, elf_image *inner)
{
    size_t n = 0;
    memset(inner, 0, sizeof *inner);
    uint8_t *data = e->mini_debug_len == 0 ? NULL : unpack(e->mini_debug, e->mini_debug_len, &n);
    if (data == NULL)
        return MINI_DEBUG_NONE;
    if (!elf_image_open(inner, ctx, data, n)) {
        free(data);
        return MINI_DEBUG_NONE;
    }
    inner->owned = data;
    return MINI_DEBUG_UNPACKED;
}

#else

enum mini_debug_state mini_debug_open(const elf_image *e, brz_ctx *ctx, elf_image *inner)
{
    (void)ctx;
    memset(inner, 0, sizeof *inner);
    return e->mini_debug_len > 0 ? MINI_DEBUG_PACKED : MINI_DEBUG_NONE;
}

#endif
