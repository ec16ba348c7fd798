/* SPDX-License-Identifier: MIT */
/* Streams of bytes: the contents of a file, or the decoded contents of another stream.
 *
 * Streams are stacked; each one owns the stream below.
 */
#ifndef BRZ_STREAM_H
#define BRZ_STREAM_H

#include <brazier/base.h>

#include <stdatomic.h>

#include "base/buf.h"

typedef enum brz_stream_state {
    BRZ_STREAM_OPEN,
    BRZ_STREAM_END,     /* all data was read */
    BRZ_STREAM_DAMAGED, /* the following data cannot be decoded; the data before it is valid */
    BRZ_STREAM_FAILED,  /* a system call failed */
} brz_stream_state;

typedef struct brz_stream brz_stream;
struct brz_stream {
    /* Reads up to n bytes, n > 0; at least one while the state is OPEN. */
    size_t (*read)(brz_stream *, uint8_t *to, size_t n);
    void (*close)(brz_stream *);
    brz_stream_state state;
    brz_buf error;          /* for DAMAGED and FAILED: the problem, without the file's name */
    _Atomic uint64_t taken; /* bytes read from the file so far; readable from any thread */
    bool is_live;           /* a fill ends with the bytes that are there */
    size_t memory; /* bytes that the decompressor of the next data keeps; 0: no decompressor */
};

/* Reads `n` bytes, or fewer at the end of the stream or of what a live one has; but at least one,
 * unless it ends. Returns their number. */
size_t brz_stream_fill(brz_stream *s, uint8_t *to, size_t n);

/* Closes a stream and those below; NULL is allowed. */
void brz_stream_close(brz_stream *s);

/* Creates a stream that reads and owns a descriptor. */
brz_stream *brz_stream_of_file(int fd);

/* Creates a stream that reads memory, which must outlive it. */
brz_stream *brz_stream_of_memory(const void *data, size_t n);

/* Returns the number of bytes read, up to n; 0 at the end; a negative number on failure. Called on
 * any thread, by one thread at a time. */
typedef int64_t brz_read_fn(void *context, void *to, size_t n);

/* Creates a stream that reads with a function of the program. */
brz_stream *brz_stream_of_function(brz_read_fn *read, void *context);

/* Create streams that decompress gzip or zstd data. Consecutive members or frames form one
 * stream. */
brz_stream *brz_stream_gunzip(brz_stream *below);
brz_stream *brz_stream_unzstd(brz_stream *below);

typedef enum brz_packing { BRZ_PACKED_NOT, BRZ_PACKED_GZIP, BRZ_PACKED_ZSTD } brz_packing;

/* Creates one of these streams. */
static inline brz_stream *brz_stream_unpack(brz_stream *below, brz_packing packing)
{
    return packing == BRZ_PACKED_GZIP ? brz_stream_gunzip(below) : brz_stream_unzstd(below);
}

/* Creates a stream that converts UTF-16, without a byte order mark, to UTF-8. */
brz_stream *brz_stream_utf16(brz_stream *below, bool big_endian);

/* Creates a stream of the `n` bytes at `head`, which were read from `below` before, followed by the
 * rest of `below`. */
brz_stream *brz_stream_unread(brz_stream *below, const uint8_t *head, size_t n);

/* Creates a stream that keeps all bytes read from `below`, so that it can be rewound. */
brz_stream *brz_stream_rewindable(brz_stream *below);

/* Returns a rewindable stream to its beginning. Closes the streams above it, of which `top` is the
 * highest; `top` may be the stream itself. Must not be called after brz_stream_pass(). */
void brz_stream_rewind(brz_stream *s, brz_stream *top);

/* Makes a rewindable stream pass bytes on without keeping them. Any thread may call it. */
void brz_stream_pass(brz_stream *s);

/* Creates a stream that reads `below` on a separate thread, a few megabytes ahead. */
brz_stream *brz_stream_ahead(brz_stream *below);

/* Copies the final state and the error of `below`; for implementations of streams. */
void brz_stream_end_like(brz_stream *s, const brz_stream *below);

/* Reads the next input of a decompressor `s`. Returns its size, or 0 at the end, with the state of
 * `s` set: DAMAGED if the data ends although `is_inside` something that has an end. `format` is for
 * the message. */
size_t brz_stream_read_packed(brz_stream *s, brz_stream *below, uint8_t *to, size_t n,
                              bool is_inside, const char *format);

#endif
