/* Compresses the bytes written to a sink. */
#include "gzip.h"

#include <string.h>

#define WINDOW_BITS_GZIP (15 + 16)
#define MEMORY_LEVEL     8
#define PIECE            (64u << 10)

/* Compresses the stream's pending input and writes the result. */
static void run(gzip *g, int flush)
{
    unsigned char out[4096];
    do {
        g->stream.next_out = out;
        g->stream.avail_out = sizeof out;
        deflate(&g->stream, flush);
        size_t n = sizeof out - g->stream.avail_out;
        if (n > 0 && g->rc == BRZ_OK)
            g->rc = g->to->write(g->to, out, n);
    } while (g->stream.avail_out == 0 && g->rc == BRZ_OK);
}

static brz_rc write_to(brz_sink *base, const void *data, size_t len)
{
    gzip *g = (gzip *)base;
    const unsigned char *p = data;
    while (len > 0 && g->rc == BRZ_OK) {
        uInt n = len < PIECE ? (uInt)len : PIECE;
        g->stream.next_in = (z_const Bytef *)p;
        g->stream.avail_in = n;
        run(g, Z_NO_FLUSH);
        p += n;
        len -= n;
    }
    return g->rc;
}

static voidpf allocate(voidpf ctx, uInt count, uInt size)
{
    brz_output_ctx *c = ctx;
    return c->host->alloc(c, (size_t)count * size, 0);
}

/* The instance's memory is freed as a whole. */
static void keep(voidpf ctx, voidpf memory)
{
    (void)ctx;
    (void)memory;
}

void gzip_init(gzip *g, brz_output_ctx *ctx, brz_sink *to)
{
    memset(g, 0, sizeof *g);
    g->stream.zalloc = allocate;
    g->stream.zfree = keep;
    g->stream.opaque = ctx;
    g->base.struct_size = sizeof g->base;
    g->base.write = write_to;
    g->to = to;
    int rc = deflateInit2(&g->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW_BITS_GZIP,
                          MEMORY_LEVEL, Z_DEFAULT_STRATEGY);
    g->rc = rc == Z_OK ? BRZ_OK : BRZ_ERROR;
}

brz_rc gzip_finish(gzip *g)
{
    if (g->rc == BRZ_OK) {
        g->stream.next_in = NULL;
        g->stream.avail_in = 0;
        run(g, Z_FINISH);
    }
    deflateEnd(&g->stream);
    return g->rc;
}
