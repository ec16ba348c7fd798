/* SPDX-License-Identifier: MIT */
/* Decompresses Zstandard data with libzstd: any number of consecutive frames. */
#include "input/stream.h"

#include "base/mem.h"

#include <stdlib.h>
#include <zstd.h>

typedef struct zstd_stream {
    brz_stream base;
    brz_stream *below;
    ZSTD_DStream *z;
    ZSTD_inBuffer in;
    uint8_t *input;
    size_t input_size;
    bool in_frame;
} zstd_stream;

static bool refill(zstd_stream *s)
{
    if (s->in.pos < s->in.size)
        return true;
    s->in.pos = 0;
    s->in.size =
        brz_stream_read_packed(&s->base, s->below, s->input, s->input_size, s->in_frame, "zstd");
    return s->in.size > 0;
}

static size_t zstd_read(brz_stream *base, uint8_t *to, size_t n)
{
    zstd_stream *s = (zstd_stream *)base;
    ZSTD_outBuffer out = {to, n, 0};
    while (out.pos == 0 && base->state == BRZ_STREAM_OPEN) {
        /* libzstd may hold the last bytes of a frame after consuming its input */
        if (s->in.pos == s->in.size && !s->in_frame && !refill(s))
            break;
        size_t before = s->in.pos, rc = ZSTD_decompressStream(s->z, &out, &s->in);
        if (ZSTD_isError(rc)) {
            base->state = BRZ_STREAM_DAMAGED;
            brz_buf_printf(&base->error, "zstd data is damaged: %s", ZSTD_getErrorName(rc));
            break;
        }
        if (!s->in_frame)
            base->memory = s->input_size + ZSTD_sizeof_DStream(s->z);
        s->in_frame = rc != 0;
        if (out.pos == 0 && s->in.pos == before && s->in_frame && !refill(s))
            break;
    }
    return out.pos;
}

static void zstd_close(brz_stream *base)
{
    zstd_stream *s = (zstd_stream *)base;
    ZSTD_freeDStream(s->z);
    brz_stream_close(s->below);
    free(s->input);
    free(s);
}

brz_stream *brz_stream_unzstd(brz_stream *below)
{
    zstd_stream *s = brz_calloc(1, sizeof *s);
    s->base.read = zstd_read;
    s->base.close = zstd_close;
    s->below = below;
    s->z = ZSTD_createDStream();
    if (s->z == NULL)
        brz_out_of_memory(0);
    s->input_size = ZSTD_DStreamInSize();
    s->input = brz_malloc(s->input_size);
    s->in.src = s->input;
    return &s->base;
}
