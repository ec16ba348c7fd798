/* SPDX-License-Identifier: MIT */
/* Unpacks data in the format of zlib or zstd. */
#include "unpack.h"

#include <zlib.h>
#include <zstd.h>

#define GUESSED_RATIO  3
#define WINDOW_LOG_MAX 27

typedef struct unpacking {
    brz_ctx *ctx;
    brz_str packed;
    uint64_t most;
    brz_text *out;
} unpacking;

/* Makes room for more output. Returns its size, which is 0 when there is as much as there may be.
 */
static size_t make_room(const unpacking *u)
{
    uint64_t left = u->most - u->out->len;
    if (u->out->data == NULL)
        brz_text_room(u->out, u->ctx, GUESSED_RATIO * u->packed.len);
    else if (u->out->cap - u->out->len < 64)
        brz_text_room(u->out, u->ctx, 64);
    size_t room = u->out->cap - u->out->len - 32;
    return left < room ? (size_t)left : room;
}

static unpack_result unpack_zlib(const unpacking *u)
{
    z_stream z = {.next_in = (z_const Bytef *)u->packed.data, .avail_in = (uInt)u->packed.len};
    int rc = inflateInit(&z) == Z_OK ? Z_OK : Z_MEM_ERROR;
    size_t room = 1;
    while (rc == Z_OK && (room = make_room(u)) > 0) {
        uInt given = room > UINT32_MAX ? UINT32_MAX : (uInt)room;
        z.next_out = (Bytef *)u->out->data + u->out->len;
        z.avail_out = given;
        rc = inflate(&z, Z_NO_FLUSH);
        u->out->len += given - z.avail_out;
    }
    inflateEnd(&z);
    if (room == 0)
        return UNPACK_TOO_LARGE;
    return rc == Z_STREAM_END ? UNPACK_DONE : UNPACK_DAMAGED;
}

static unpack_result unpack_zstd(const unpacking *u)
{
    ZSTD_DStream *stream = ZSTD_createDStream();
    ZSTD_inBuffer in = {u->packed.data, u->packed.len, 0};
    size_t rc = 1, room = 1;
    bool stuck = stream == NULL;
    if (!stuck)
        ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
    while (!stuck && rc != 0 && (room = make_room(u)) > 0) {
        ZSTD_outBuffer out = {u->out->data + u->out->len, room, 0};
        rc = ZSTD_decompressStream(stream, &out, &in);
        u->out->len += out.pos;
        stuck = ZSTD_isError(rc) || (out.pos < room && in.pos == in.size && rc != 0);
    }
    ZSTD_freeDStream(stream);
    if (room == 0)
        return UNPACK_TOO_LARGE;
    return stuck ? UNPACK_DAMAGED : UNPACK_DONE;
}

unpack_result unpack(brz_ctx *ctx, brz_str packed, bool is_zstd, uint64_t most, brz_text *out)
{
    unpacking u = {ctx, packed, most, out};
    if (packed.len > UINT32_MAX)
        return UNPACK_TOO_LARGE;
    return is_zstd ? unpack_zstd(&u) : unpack_zlib(&u);
}
