/** @file
 * A writer for outputs: gathers small pieces of text and hands the sink large ones.
 *
 * Numbers are made here rather than by printf, which would be most of the work of a large picture.
 * A failed sink is remembered: check brz_writer_finish alone.
 */
#ifndef BRAZIER_WRITE_H
#define BRAZIER_WRITE_H

#include <brazier/digits.h>
#include <brazier/output.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/** Bytes that are gathered. */
#define BRZ_WRITER_SIZE (64u << 10)

/** The writer. */
typedef struct brz_writer {
    brz_sink *sink; /**< where its bytes go */
    char *buffer;   /**< BRZ_WRITER_SIZE bytes of the instance's memory */
    size_t used;    /**< how many of them are to be written */
    brz_rc rc;      /**< the first failure of the sink, or BRZ_OK */
} brz_writer;

/** Begins to write to a sink. */
static inline void brz_writer_init(brz_writer *w, brz_ctx *ctx, brz_sink *sink)
{
    w->sink = sink;
    w->buffer = (char *)ctx->host->alloc(ctx, BRZ_WRITER_SIZE, 64);
    w->used = 0;
    w->rc = BRZ_OK;
}

/** Hands over what was gathered. */
static inline void brz_writer_flush(brz_writer *w)
{
    if (w->used > 0 && w->rc == BRZ_OK)
        w->rc = w->sink->write(w->sink, w->buffer, w->used);
    w->used = 0;
}

/** The same at the end: BRZ_OK if the sink took everything. */
static inline brz_rc brz_writer_finish(brz_writer *w)
{
    brz_writer_flush(w);
    return w->rc;
}

/** Room for n bytes, n <= 16 KiB, which the caller fills in and adds to `used`. */
static inline char *brz_writer_room(brz_writer *w, size_t n)
{
    if (n > BRZ_WRITER_SIZE - w->used)
        brz_writer_flush(w);
    return w->buffer + w->used;
}

/** Writes n bytes. */
static inline void brz_put(brz_writer *w, const char *data, size_t n)
{
    if (n > BRZ_WRITER_SIZE - w->used)
        brz_writer_flush(w);
    if (n > BRZ_WRITER_SIZE) {
        if (w->rc == BRZ_OK)
            w->rc = w->sink->write(w->sink, data, n);
        return;
    }
    if (n > 0)
        memcpy(w->buffer + w->used, data, n);
    w->used += n;
}

/** Writes a byte. */
static inline void brz_put_char(brz_writer *w, char c)
{
    *brz_writer_room(w, 1) = c;
    w->used++;
}

/** Writes a text. */
static inline void brz_put_str(brz_writer *w, brz_str s)
{
    brz_put(w, s.data, s.len);
}

/** Writes a terminated text. */
static inline void brz_put_text(brz_writer *w, const char *text)
{
    brz_put(w, text, strlen(text));
}

/** A string literal, whose length the compiler knows. */
#define BRZ_PUT(w, literal) brz_put((w), "" literal, sizeof(literal) - 1)

/** Writes an unsigned number. */
static inline void brz_put_u64(brz_writer *w, uint64_t v)
{
    w->used = (size_t)(brz_format_u64(brz_writer_room(w, BRZ_NUMBER_ROOM), v) - w->buffer);
}

/** Writes a number with its sign. */
static inline void brz_put_i64(brz_writer *w, int64_t v)
{
    w->used = (size_t)(brz_format_i64(brz_writer_room(w, BRZ_NUMBER_ROOM), v) - w->buffer);
}

/** A multiple of 10^-decimals, without trailing zeros: 1250 at 3 decimals is "1.25". */
static inline void brz_put_scaled(brz_writer *w, int64_t v, uint32_t decimals)
{
    uint64_t magnitude = v < 0 ? 0 - (uint64_t)v : (uint64_t)v, scale = 1;
    while (decimals > 0 && magnitude % 10 == 0) {
        magnitude /= 10;
        decimals--;
    }
    for (uint32_t i = 0; i < decimals; i++)
        scale *= 10;
    if (v < 0)
        brz_put_char(w, '-');
    brz_put_u64(w, magnitude / scale);
    if (decimals == 0)
        return;
    char digits[24], *end = digits + sizeof digits, *start = brz_digits(end, magnitude % scale);
    while (end - start < (ptrdiff_t)decimals)
        *--start = '0';
    brz_put_char(w, '.');
    brz_put(w, start, (size_t)(end - start));
}

/** See brz_format_fixed. */
static inline void brz_put_fixed(brz_writer *w, double v, uint32_t decimals)
{
    char *to = brz_writer_room(w, BRZ_NUMBER_ROOM);
    w->used = (size_t)(brz_format_fixed(to, v, decimals) - w->buffer);
}

/** A JSON string with its quotes. `s` is UTF-8. "</" is broken up, so that it can stand in HTML. */
static inline void brz_put_json(brz_writer *w, brz_str s)
{
    static const char hex[] = "0123456789abcdef";
    brz_put_char(w, '"');
    size_t done = 0;
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.data[i];
        bool slash = c == '/' && i > 0 && s.data[i - 1] == '<';
        if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7f && !slash)
            continue;
        brz_put(w, s.data + done, i - done);
        done = i + 1;
        char *p = brz_writer_room(w, 6);
        if (c == '"' || c == '\\' || slash) {
            p[0] = '\\';
            p[1] = (char)c;
            w->used += 2;
        } else {
            memcpy(p, "\\u00", 4);
            p[4] = hex[c >> 4];
            p[5] = hex[c & 15];
            w->used += 6;
        }
    }
    if (done < s.len)
        brz_put(w, s.data + done, s.len - done);
    brz_put_char(w, '"');
}

#endif
