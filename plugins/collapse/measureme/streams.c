/* SPDX-License-Identifier: MIT */
/* Divides a file of measureme into its three streams. */
#include "streams.h"

#include <brazier/binary.h>
#include <brazier/text/buffer.h>

#include <stdio.h>

#define HEADER_SIZE      8u
#define PAGE_HEADER_SIZE 5u
#define PAGE_SIZE_MAX    (256u << 10)

/* ---- the file's header ---------------------------------------------------------------------- */

static bool reject(brz_ctx *ctx, const uint8_t *at, const char *why)
{
    brz_report(ctx, BRZ_FATAL, "measureme.header", at, 0, brz_str_of_text(why));
    return false;
}

static bool is(const uint8_t *data, const char *magic)
{
    return memcmp(data, magic, 4) == 0;
}

static bool reject_version(brz_ctx *ctx, const uint8_t *at, uint32_t version)
{
    char text[160];
    if (version < OLDEST_VERSION)
        snprintf(text, sizeof text,
                 "version %u of measureme's format, which an older rustc writes: brazier reads "
                 "versions 8 and 9",
                 (unsigned)version);
    else
        snprintf(
            text, sizeof text,
            "version %u of measureme's format is newer than this brazier, which reads versions "
            "8 and 9",
            (unsigned)version);
    return reject(ctx, at, text);
}

static bool read_header(streams *s, brz_ctx *ctx, const uint8_t *data, size_t len)
{
    if (len < HEADER_SIZE)
        return reject(ctx, data, "not a file of measureme: shorter than its header");
    if (is(data, "MMES") || is(data, "MMSD") || is(data, "MMSI"))
        return reject(ctx, data,
                      "one of the three files (.events, .string_data, .string_index) of measureme "
                      "before version 0.8: brazier reads .mm_profdata files, which newer "
                      "rustc write");
    if (!is(data, "MMPD"))
        return reject(ctx, data, "not a file of measureme: it does not begin with MMPD");
    s->version = brz_load_u32(data + 4, BRZ_LITTLE_ENDIAN);
    if (s->version < OLDEST_VERSION || s->version > NEWEST_VERSION)
        return reject_version(ctx, data + 4, s->version);
    return true;
}

/* ---- pages ---------------------------------------------------------------------------------- */

static void add_piece(stream *s, brz_ctx *ctx, const uint8_t *data, uint64_t n)
{
    size_t used = s->n == 0 ? 0 : s->n + 1;
    s->pieces = brz_list_room(ctx, s->pieces, used, &s->cap, sizeof *s->pieces);
    s->pieces[s->n++] = (piece){data, s->len};
    s->len += n;
    s->pieces[s->n] = (piece){NULL, s->len};
}

static void warn(brz_ctx *ctx, const char *code, const uint8_t *at, const char *why)
{
    brz_report(ctx, BRZ_WARNING, code, at, 0, brz_str_of_text(why));
}

/* Reads a page. Returns false if no other page can be found after it. */
static bool read_page(streams *s, brz_ctx *ctx, brz_bytes *b)
{
    const uint8_t *at = b->at;
    uint8_t which = brz_bytes_u8(b);
    uint64_t size = brz_bytes_u32(b);
    if (b->error != NULL) {
        warn(ctx, "measureme.cut", at, "the file ends within the header of a page");
        return false;
    }
    if (size == 0 || size > PAGE_SIZE_MAX) {
        warn(ctx, "measureme.page", at, "a damaged page: the rest of the file is left out");
        return false;
    }
    if (size > brz_bytes_left(b)) {
        warn(ctx, "measureme.cut", b->end, "the file ends within a page: the rest is missing");
        size = brz_bytes_left(b);
    }
    if (which >= N_STREAMS)
        warn(ctx, "measureme.stream", at, "a page of an unknown kind: left out");
    else if (size > 0)
        add_piece(&s->of[which], ctx, b->at, size);
    brz_bytes_skip(b, size);
    return true;
}

static void check_stream(streams *s, brz_ctx *ctx, size_t which)
{
    static const char *const magics[N_STREAMS] = {"MMES", "MMSD", "MMSI"};
    static const char *const missing[N_STREAMS] = {
        "the file has no events", "the file has no texts: names are missing",
        "the file has no index of texts: names are missing"};
    uint8_t copy[4];
    stream *of = &s->of[which];
    const uint8_t *magic = stream_bytes(of, 0, 4, copy);
    if (of->len < STREAM_HEADER_SIZE)
        warn(ctx, "measureme.stream", NULL, missing[which]);
    else if (!is(magic, magics[which]))
        warn(ctx, "measureme.stream", of->pieces[0].data,
             "a stream without its magic number: it may be damaged");
}

bool streams_read(streams *s, brz_ctx *ctx, const uint8_t *data, size_t len)
{
    memset(s, 0, sizeof *s);
    if (!read_header(s, ctx, data, len))
        return false;
    brz_bytes b = brz_bytes_of(data, len);
    brz_bytes_skip(&b, HEADER_SIZE);
    while (brz_bytes_left(&b) > 0 && read_page(s, ctx, &b))
        ;
    for (size_t i = 0; i < N_STREAMS; i++)
        check_stream(s, ctx, i);
    return true;
}

/* ---- bytes of a stream ---------------------------------------------------------------------- */

/* Finds the piece with an address, which lies in the stream. */
static const piece *find_piece(stream *s, uint64_t at)
{
    const piece *p = &s->pieces[s->last];
    if (p[0].start <= at && at < p[1].start)
        return p;
    size_t low = 0, high = s->n;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (s->pieces[middle].start <= at)
            low = middle;
        else
            high = middle;
    }
    s->last = low;
    return &s->pieces[low];
}

const uint8_t *stream_piece(stream *s, uint64_t at, size_t *n)
{
    if (at >= s->len)
        return NULL;
    const piece *p = find_piece(s, at);
    *n = (size_t)(p[1].start - at);
    return p->data + (at - p->start);
}

const uint8_t *stream_bytes(stream *s, uint64_t at, size_t n, uint8_t *copy)
{
    if (at > s->len || n > s->len - at)
        return NULL;
    size_t there, taken = 0;
    const uint8_t *p = stream_piece(s, at, &there);
    if (p == NULL || there >= n)
        return p;
    for (; taken < n; taken += there) {
        p = stream_piece(s, at + taken, &there);
        there = there < n - taken ? there : n - taken;
        memcpy(copy + taken, p, there);
    }
    return copy;
}
