/* SPDX-License-Identifier: MIT */
/** @file
 * Buffers an output's text and passes it to the sink in large pieces.
 *
 * Numbers are formatted here because printf would dominate the cost of a large picture. The writer
 * remembers a failure of the sink: checking the result of brz_writer_finish() is enough.
 */
#ifndef BRAZIER_WRITE_H
#define BRAZIER_WRITE_H

#include <brazier/digits.h>
#include <brazier/output.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/** Size of the buffer in bytes. */
#define BRZ_WRITER_SIZE (64u << 10)

/** A buffered writer. */
typedef struct brz_writer {
    brz_sink *sink; /**< destination */
    char *buffer;   /**< BRZ_WRITER_SIZE bytes in the instance's memory */
    size_t used;    /**< number of bytes in the buffer */
    brz_rc rc;      /**< first failure of the sink, or BRZ_OK */
} brz_writer;

/** Initialises a writer for a sink. Allocates the buffer from the instance's memory. */
static inline void brz_writer_init(brz_writer *w, brz_output_ctx *ctx, brz_sink *sink)
{
    w->sink = sink;
    w->buffer = (char *)ctx->host->alloc(ctx, BRZ_WRITER_SIZE, 64);
    w->used = 0;
    w->rc = BRZ_OK;
}

/** Passes the buffered bytes to the sink. */
static inline void brz_writer_flush(brz_writer *w)
{
    if (w->used > 0 && w->rc == BRZ_OK)
        w->rc = w->sink->write(w->sink, w->buffer, w->used);
    w->used = 0;
}

/** Flushes the writer. Returns BRZ_OK if the sink accepted all bytes, or its first failure. */
static inline brz_rc brz_writer_finish(brz_writer *w)
{
    brz_writer_flush(w);
    return w->rc;
}

/** Returns space for `n` bytes, at most 16 KiB. The caller fills it in and adds the number of bytes
 * to `used`. */
static inline char *brz_writer_room(brz_writer *w, size_t n)
{
    if (n > BRZ_WRITER_SIZE - w->used)
        brz_writer_flush(w);
    return w->buffer + w->used;
}

/** Writes `n` bytes. */
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

/** Writes a terminated string. */
static inline void brz_put_text(brz_writer *w, const char *text)
{
    brz_put(w, text, strlen(text));
}

/** Writes a string literal, whose length is known at compile time. */
#define BRZ_PUT(w, literal) brz_put((w), "" literal, sizeof(literal) - 1)

/** Writes an unsigned integer. */
static inline void brz_put_u64(brz_writer *w, uint64_t v)
{
    w->used = (size_t)(brz_format_u64(brz_writer_room(w, BRZ_NUMBER_ROOM), v) - w->buffer);
}

/** Writes a signed integer. */
static inline void brz_put_i64(brz_writer *w, int64_t v)
{
    w->used = (size_t)(brz_format_i64(brz_writer_room(w, BRZ_NUMBER_ROOM), v) - w->buffer);
}

/** Writes a multiple of 10^-decimals without trailing zeros: 1250 with 3 decimals becomes "1.25".
 */
static inline void brz_put_scaled(brz_writer *w, int64_t v, uint32_t decimals)
{
    char *to = brz_writer_room(w, BRZ_NUMBER_ROOM);
    w->used = (size_t)(brz_format_scaled(to, v, decimals) - w->buffer);
}

/** Writes a number with `decimals` digits after the decimal point: see brz_format_fixed(). */
static inline void brz_put_fixed(brz_writer *w, double v, uint32_t decimals)
{
    char *to = brz_writer_room(w, BRZ_NUMBER_ROOM);
    w->used = (size_t)(brz_format_fixed(to, v, decimals) - w->buffer);
}

/** Writes a JSON string with quotes. `s` must be UTF-8. Escapes "</", so that the string can appear
 * in HTML. */
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

/** Writes a member of a JSON object, unless its text is empty. `key` has the quotes, the colon and
 * perhaps a comma in front. */
static inline void brz_put_member(brz_writer *w, const char *key, brz_str value)
{
    if (value.len == 0)
        return;
    brz_put_text(w, key);
    brz_put_json(w, value);
}

#endif
