/* Unpacks compressed records. */
#include "unpack.h"

#include <brazier/text/buffer.h>

#include <zstd.h>

/* Size of a block: several of the largest records. */
#define BLOCK_SIZE ((size_t)1 << 20)

/* Largest size of a record. */
#define RECORD_SIZE_MAX 65536

/* Readable bytes behind each block. */
#define BLOCK_SLACK 64

/* Maximum window of the stream, as its logarithm: perf uses at most 2^27 bytes. */
#define WINDOW_LOG_MAX 27

static bool start(unpack *u)
{
    ZSTD_DStream *stream = ZSTD_createDStream();
    if (stream == NULL)
        return false;
    u->stream = stream;
    u->current = NO_BLOCK;
    ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
    return !ZSTD_isError(ZSTD_initDStream(stream));
}

static uint32_t new_block(unpack *u, brz_ctx *ctx)
{
    if (u->n_free > 0)
        return u->free[--u->n_free];
    u->blocks = brz_list_room(ctx, u->blocks, u->n, &u->cap, sizeof *u->blocks);
    u->blocks[u->n] = (unpack_block){.data = ctx->host->alloc(ctx, BLOCK_SIZE + BLOCK_SLACK, 64)};
    return (uint32_t)u->n++;
}

static void free_block(unpack *u, brz_ctx *ctx, uint32_t block)
{
    u->free = brz_list_room(ctx, u->free, u->n_free, &u->cap_free, sizeof *u->free);
    u->free[u->n_free++] = block;
}

void unpack_release(unpack *u, brz_ctx *ctx, uint32_t block)
{
    if (block != NO_BLOCK && --u->blocks[block].users == 0 && block != u->current)
        free_block(u, ctx, block);
}

/* Makes room for a record: continues in another block, to which an incomplete record moves. */
static void make_room(unpack *u, brz_ctx *ctx)
{
    uint32_t old = u->current;
    if (old != NO_BLOCK && BLOCK_SIZE - u->blocks[old].len >= RECORD_SIZE_MAX)
        return;
    u->current = new_block(u, ctx);
    unpack_block *to = &u->blocks[u->current];
    to->len = to->taken = 0;
    if (old == NO_BLOCK)
        return;
    const unpack_block *from = &u->blocks[old];
    to->len = from->len - from->taken;
    memcpy(to->data, from->data + from->taken, to->len);
    if (from->users == 0)
        free_block(u, ctx, old);
}

/* Unpacks as much as fits into the current block. Returns false if the stream is damaged. */
static bool fill(unpack *u, ZSTD_inBuffer *in, bool *more)
{
    unpack_block *b = &u->blocks[u->current];
    ZSTD_outBuffer out = {b->data + b->len, BLOCK_SIZE - b->len, 0};
    size_t rc = ZSTD_decompressStream(u->stream, &out, in);
    b->len += out.pos;
    *more = in->pos < in->size || out.pos == out.size;
    return !ZSTD_isError(rc);
}

bool unpack_feed(unpack *u, brz_ctx *ctx, const uint8_t *data, size_t len, unpack_take *take,
                 void *context)
{
    ZSTD_inBuffer in = {data, len, 0};
    bool more = len > 0, broken = false;
    if (u->stream == NULL && !start(u))
        u->failed = true;
    while (more && !u->failed) {
        make_room(u, ctx);
        u->failed = !fill(u, &in, &more);
        const unpack_block *b = &u->blocks[u->current];
        size_t taken = take(context, u->current, b->data + b->taken, b->len - b->taken, &broken);
        u->blocks[u->current].taken += taken;
        u->failed |= broken;
    }
    return !u->failed;
}

void unpack_finish(unpack *u)
{
    ZSTD_freeDStream(u->stream);
    u->stream = NULL;
}
