/* SPDX-License-Identifier: MIT */
/* Unpacks compressed records. */
#include "unpack.h"

#include <brazier/text/buffer.h>

#include <zstd.h>

/* Size of a block: several of the largest records. */
#define BLOCK_SIZE ((size_t)1 << 20)

/* Largest size of a record. */
#define RECORD_SIZE_MAX 65536

/* Readable bytes after each block. */
#define BLOCK_SLACK 64

/* Maximum window of a stream, and of all streams together, as logarithms: perf uses at most 2^27
 * bytes, and 2^19 unless a higher level of compression is asked for. */
#define WINDOW_LOG_MAX  27
#define WINDOWS_LOG_MAX 32

/* The first bytes of a zstd frame. */
static const uint8_t magic[4] = {0x28, 0xb5, 0x2f, 0xfd};

void unpack_stream_init(unpack_stream *s, size_t n)
{
    int window_log = WINDOWS_LOG_MAX;
    for (size_t i = 1; i < n; i *= 2)
        window_log--;
    *s = (unpack_stream){.current = NO_BLOCK, .window_log = window_log};
    if (window_log > WINDOW_LOG_MAX)
        s->window_log = WINDOW_LOG_MAX;
}

static bool start(unpack_stream *s)
{
    ZSTD_DStream *stream = ZSTD_createDStream();
    if (stream == NULL)
        return false;
    s->zstd = stream;
    ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, s->window_log);
    return !ZSTD_isError(ZSTD_initDStream(stream));
}

/* ---- blocks --------------------------------------------------------------------------------- */

static uint32_t new_block(unpack *u, brz_ctx *ctx)
{
    if (u->n_free > 0)
        return u->free[--u->n_free];
    u->blocks = brz_list_room(ctx, u->blocks, u->n, &u->cap, sizeof *u->blocks);
    u->blocks[u->n] = (unpack_block){.data = ctx->host->alloc(ctx, BLOCK_SIZE + BLOCK_SLACK, 64)};
    return (uint32_t)u->n++;
}

/* Frees a block that nothing uses any more. */
static void free_unused(unpack *u, brz_ctx *ctx, uint32_t block)
{
    if (u->blocks[block].users > 0 || u->blocks[block].is_current)
        return;
    u->free = brz_list_room(ctx, u->free, u->n_free, &u->cap_free, sizeof *u->free);
    u->free[u->n_free++] = block;
}

void unpack_release(unpack *u, brz_ctx *ctx, uint32_t block)
{
    if (block == NO_BLOCK)
        return;
    u->blocks[block].users--;
    free_unused(u, ctx, block);
}

/* Makes room for a record: continues in another block, to which an incomplete record moves. */
static void make_room(unpack *u, unpack_stream *s, brz_ctx *ctx)
{
    uint32_t old = s->current;
    if (old != NO_BLOCK && BLOCK_SIZE - u->blocks[old].len >= RECORD_SIZE_MAX)
        return;
    s->current = new_block(u, ctx);
    unpack_block *to = &u->blocks[s->current];
    to->len = to->taken = 0;
    to->is_current = true;
    if (old == NO_BLOCK)
        return;
    unpack_block *from = &u->blocks[old];
    to->len = from->len - from->taken;
    memcpy(to->data, from->data + from->taken, to->len);
    from->is_current = false;
    free_unused(u, ctx, old);
}

const uint8_t *unpack_store(unpack *u, unpack_stream *s, brz_ctx *ctx, const uint8_t *data,
                            size_t len, uint32_t *block)
{
    make_room(u, s, ctx);
    unpack_block *b = &u->blocks[s->current];
    uint8_t *copy = b->data + b->len;
    memcpy(copy, data, len);
    b->taken = b->len += len;
    *block = s->current;
    return copy;
}

size_t unpack_rest(const unpack *u, const unpack_stream *s)
{
    return s->current == NO_BLOCK ? 0 : u->blocks[s->current].len - u->blocks[s->current].taken;
}

/* ---- unpacking ------------------------------------------------------------------------------ */

/* Unpacks as much as fits into a block. Returns false if the stream is damaged. */
static bool fill(unpack_block *b, unpack_stream *s, ZSTD_inBuffer *in, bool *more)
{
    ZSTD_outBuffer out = {b->data + b->len, BLOCK_SIZE - b->len, 0};
    size_t rc = ZSTD_decompressStream(s->zstd, &out, in);
    b->len += out.pos;
    *more = in->pos < in->size || out.pos == out.size;
    return !ZSTD_isError(rc);
}

/* Begins another stream after a damaged one, if the data begins with one. */
static void restart(unpack *u, unpack_stream *s, const uint8_t *data, size_t len)
{
    if (len < sizeof magic || memcmp(data, magic, sizeof magic) != 0)
        return;
    s->failed = ZSTD_isError(ZSTD_DCtx_reset(s->zstd, ZSTD_reset_session_only));
    if (s->current != NO_BLOCK)
        u->blocks[s->current].taken = u->blocks[s->current].len;
}

bool unpack_feed(unpack *u, unpack_stream *s, brz_ctx *ctx, const uint8_t *data, size_t len,
                 unpack_take *take, void *context)
{
    ZSTD_inBuffer in = {data, len, 0};
    bool more = len > 0, stop = false;
    if (s->zstd == NULL && !start(s))
        s->failed = true;
    else if (s->failed)
        restart(u, s, data, len);
    while (more && !s->failed && !stop) {
        make_room(u, s, ctx);
        s->failed = !fill(&u->blocks[s->current], s, &in, &more);
        const unpack_block *b = &u->blocks[s->current];
        size_t taken = take(context, s->current, b->data + b->taken, b->len - b->taken, &stop);
        u->blocks[s->current].taken += taken;
        s->taken += taken;
    }
    return !s->failed;
}

void unpack_stream_finish(unpack_stream *s)
{
    ZSTD_freeDStream(s->zstd);
    s->zstd = NULL;
}
