/* SPDX-License-Identifier: MIT */
/* Decompresses gzip data with zlib: any number of consecutive members. */
#include "input/stream.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define INPUT_SIZE (64u << 10)

/* Size of zlib's state with its window. */
#define STATE_SIZE (44u << 10)

typedef struct gzip_stream {
    brz_stream base;
    brz_stream *below;
    z_stream z;
    uint8_t *input;
    bool in_member; /* inside a member */
    bool full;      /* the output was full, so zlib may have more without further input */
} gzip_stream;

static size_t damaged(gzip_stream *g, const char *why)
{
    g->base.state = BRZ_STREAM_DAMAGED;
    brz_buf_printf(&g->base.error, "gzip data %s", why);
    return 0;
}

/* Provides input for zlib. Returns false at the end, with the state set. */
static bool refill(gzip_stream *g)
{
    if (g->z.avail_in > 0)
        return true;
    g->z.next_in = g->input;
    g->z.avail_in = (uInt)brz_stream_read_packed(&g->base, g->below, g->input, INPUT_SIZE,
                                                 g->in_member, "gzip");
    return g->z.avail_in > 0;
}

/* Continues after a member: with another one, after zero padding, or fails for other data. */
static bool begin_member(gzip_stream *g)
{
    inflateReset(&g->z);
    g->in_member = g->full = false;
    do {
        while (g->z.avail_in > 0 && *g->z.next_in == 0) {
            g->z.next_in++;
            g->z.avail_in--;
        }
        if (!refill(g))
            return false;
    } while (*g->z.next_in == 0);
    if (*g->z.next_in == 0x1f)
        return true;
    damaged(g, "is followed by something else");
    return false;
}

static size_t gzip_read(brz_stream *base, uint8_t *to, size_t n)
{
    gzip_stream *g = (gzip_stream *)base;
    g->z.next_out = to;
    g->z.avail_out = (uInt)(n < INT32_MAX ? n : INT32_MAX);
    uInt room = g->z.avail_out;
    while (g->z.avail_out == room && base->state == BRZ_STREAM_OPEN) {
        if (!g->full && !refill(g))
            break;
        g->in_member = true;
        int rc = inflate(&g->z, Z_NO_FLUSH);
        g->full = g->z.avail_out == 0;
        if (rc == Z_MEM_ERROR)
            brz_out_of_memory(0);
        if (rc == Z_STREAM_END)
            begin_member(g);
        else if (rc != Z_OK && rc != Z_BUF_ERROR)
            damaged(g, "is damaged");
    }
    return room - g->z.avail_out;
}

static void gzip_close(brz_stream *base)
{
    gzip_stream *g = (gzip_stream *)base;
    inflateEnd(&g->z);
    brz_stream_close(g->below);
    free(g->input);
    free(g);
}

brz_stream *brz_stream_gunzip(brz_stream *below)
{
    gzip_stream *g = brz_calloc(1, sizeof *g);
    g->base.read = gzip_read;
    g->base.close = gzip_close;
    g->below = below;
    g->input = brz_malloc(INPUT_SIZE);
    g->base.memory = INPUT_SIZE + STATE_SIZE;
    if (inflateInit2(&g->z, 15 + 16) != Z_OK) /* 16: gzip headers, not zlib headers */
        brz_out_of_memory(sizeof g->z);
    return &g->base;
}
