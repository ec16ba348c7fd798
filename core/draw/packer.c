/* SPDX-License-Identifier: MIT */
/* Compresses the bytes of an output. */
#include "draw/packer.h"

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include "base/mem.h"
#include "input/source.h"

#define OUT_SIZE ((size_t)64 << 10)

/* The defaults of the programs gzip and zstd. */
#define GZIP_LEVEL 6
#define ZSTD_LEVEL 3

struct brz_packer {
    brz_packing packing;
    brz_packed_fn *write;
    void *context;
    bool has_begun;
    bool is_packed; /* the bytes are compressed already, and are passed on */
    z_stream gzip;
    ZSTD_CCtx *zstd; /* NULL: gzip */
    char *out;
};

/* ---- gzip ----------------------------------------------------------------------------------- */

static void begin_gzip(brz_packer *p)
{
    enum { WINDOW = 15, WITH_HEADER = 16, MEMORY = 8 };
    if (deflateInit2(&p->gzip, GZIP_LEVEL, Z_DEFLATED, WINDOW + WITH_HEADER, MEMORY,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        brz_out_of_memory(OUT_SIZE);
}

/* Compresses all input of zlib, and with Z_FINISH ends the file. */
static void run_gzip(brz_packer *p, int flush)
{
    do {
        p->gzip.next_out = (Bytef *)p->out;
        p->gzip.avail_out = (uInt)OUT_SIZE;
        deflate(&p->gzip, flush); /* it fails only if it is called wrongly */
        p->write(p->context, p->out, OUT_SIZE - p->gzip.avail_out);
    } while (p->gzip.avail_out == 0);
}

static void add_gzip(brz_packer *p, const char *data, size_t len)
{
    while (len > 0) {
        size_t n = len < UINT_MAX ? len : UINT_MAX;
        p->gzip.next_in = (z_const Bytef *)(uintptr_t)data;
        p->gzip.avail_in = (uInt)n;
        run_gzip(p, Z_NO_FLUSH);
        data += n;
        len -= n;
    }
}

/* ---- zstd ----------------------------------------------------------------------------------- */

static void begin_zstd(brz_packer *p)
{
    p->zstd = ZSTD_createCCtx();
    if (p->zstd == NULL)
        brz_out_of_memory(OUT_SIZE);
    ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL);
    ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_checksumFlag, 1);
}

static void run_zstd(brz_packer *p, const char *data, size_t len, ZSTD_EndDirective end)
{
    ZSTD_inBuffer in = {data, len, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {p->out, OUT_SIZE, 0};
        left = ZSTD_compressStream2(p->zstd, &out, &in, end);
        if (ZSTD_isError(left)) /* nothing else can fail */
            brz_out_of_memory(OUT_SIZE);
        p->write(p->context, p->out, out.pos);
    } while (end == ZSTD_e_end ? left > 0 : in.pos < in.size);
}

/* ---- packers -------------------------------------------------------------------------------- */

brz_packer *brz_packer_create(brz_packing packing, brz_packed_fn *write, void *context)
{
    brz_packer *p = brz_calloc(1, sizeof *p);
    p->packing = packing;
    p->write = write;
    p->context = context;
    p->out = brz_malloc(OUT_SIZE);
    return p;
}

static void begin(brz_packer *p, const char *data, size_t len)
{
    if (p->has_begun)
        return;
    p->has_begun = true;
    p->is_packed = p->packing == BRZ_PACKED_GZIP &&
                   brz_packing_of((const uint8_t *)data, len) == BRZ_PACKED_GZIP;
    if (p->is_packed)
        return;
    if (p->packing == BRZ_PACKED_GZIP)
        begin_gzip(p);
    else
        begin_zstd(p);
}

void brz_packer_add(brz_packer *p, const char *data, size_t len)
{
    if (len == 0)
        return;
    begin(p, data, len);
    if (p->is_packed)
        p->write(p->context, data, len);
    else if (p->packing == BRZ_PACKED_GZIP)
        add_gzip(p, data, len);
    else
        run_zstd(p, data, len, ZSTD_e_continue);
}

void brz_packer_end(brz_packer *p)
{
    begin(p, "", 0);
    if (p->is_packed)
        return;
    if (p->packing == BRZ_PACKED_GZIP)
        run_gzip(p, Z_FINISH);
    else
        run_zstd(p, "", 0, ZSTD_e_end);
}

void brz_packer_destroy(brz_packer *p)
{
    if (p == NULL)
        return;
    if (p->has_begun && !p->is_packed && p->packing == BRZ_PACKED_GZIP)
        deflateEnd(&p->gzip);
    ZSTD_freeCCtx(p->zstd);
    free(p->out);
    free(p);
}
