/* SPDX-License-Identifier: MIT */
/* Converts UTF-16 to UTF-8. Malformed sequences become U+FFFD. */
#include "input/stream.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

#define UNITS 4096

typedef struct utf16_stream {
    brz_stream base;
    brz_stream *below;
    bool big_endian;
    uint8_t input[2 * UNITS];
    size_t have;              /* bytes in `input` not converted yet */
    char text[3 * UNITS + 4]; /* converted text */
    size_t at, n;
} utf16_stream;

static uint32_t unit_at(const utf16_stream *u, size_t i)
{
    const uint8_t *p = u->input + i;
    return u->big_endian ? (uint32_t)(p[0] << 8 | p[1]) : (uint32_t)(p[1] << 8 | p[0]);
}

/* Converts complete characters; `last` means that no input follows. */
static void convert(utf16_stream *u, bool last)
{
    size_t i = 0;
    u->at = u->n = 0;
    while (i + 2 <= u->have) {
        uint32_t code = unit_at(u, i);
        i += 2;
        if (code >= 0xd800 && code < 0xdc00) {
            if (i + 2 > u->have && !last) {
                i -= 2;
                break;
            }
            uint32_t low = i + 2 <= u->have ? unit_at(u, i) : 0;
            if (low >= 0xdc00 && low < 0xe000) {
                code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
                i += 2;
            }
        }
        u->n += brz_utf8_encode(code, u->text + u->n);
    }
    if (last && i < u->have) { /* half a code unit */
        u->n += brz_utf8_encode(0xfffd, u->text + u->n);
        i = u->have;
    }
    memmove(u->input, u->input + i, u->have - i);
    u->have -= i;
}

static size_t utf16_read(brz_stream *base, uint8_t *to, size_t n)
{
    utf16_stream *u = (utf16_stream *)base;
    while (u->at == u->n) {
        if (u->below->state != BRZ_STREAM_OPEN && u->have == 0) {
            brz_stream_end_like(base, u->below);
            return 0;
        }
        if (u->below->state == BRZ_STREAM_OPEN)
            u->have += u->below->read(u->below, u->input + u->have, sizeof u->input - u->have);
        convert(u, u->below->state != BRZ_STREAM_OPEN);
    }
    size_t give = u->n - u->at < n ? u->n - u->at : n;
    memcpy(to, u->text + u->at, give);
    u->at += give;
    return give;
}

static void utf16_close(brz_stream *base)
{
    utf16_stream *u = (utf16_stream *)base;
    brz_stream_close(u->below);
    free(u);
}

brz_stream *brz_stream_utf16(brz_stream *below, bool big_endian)
{
    utf16_stream *u = brz_calloc(1, sizeof *u);
    u->base.read = utf16_read;
    u->base.close = utf16_close;
    u->below = below;
    u->big_endian = big_endian;
    return &u->base;
}
