/* SPDX-License-Identifier: MIT */
/* Divides a file of measureme into its three streams.
 *
 *     file   := "MMPD" version:u32 page*
 *     page   := stream:u8 size:u32 byte*size
 *     stream := ("MMES" | "MMSD" | "MMSI") version:u32 …     the pages of one number, joined
 *
 * Numbers are little-endian. Pages of the streams alternate in any order; an entry of a stream may
 * continue in the next page. Addresses count from the stream's first byte.
 */
#ifndef COLLAPSE_MEASUREME_STREAMS_H
#define COLLAPSE_MEASUREME_STREAMS_H

#include <brazier/collapser.h>

#define OLDEST_VERSION     8u
#define NEWEST_VERSION     9u
#define STREAM_HEADER_SIZE 8u

enum { STREAM_EVENTS, STREAM_TEXTS, STREAM_INDEX, N_STREAMS };

/* A page's bytes. */
typedef struct piece {
    const uint8_t *data;
    uint64_t start; /* address of the first byte in the stream */
} piece;

typedef struct stream {
    piece *pieces; /* followed by one that begins at the stream's end */
    size_t n, cap;
    size_t last; /* the most recently used piece */
    uint64_t len;
} stream;

typedef struct streams {
    stream of[N_STREAMS];
    uint32_t version;
} streams;

/* Reads the pages. Damaged pages are reported and left out. Returns false after reporting that the
 * bytes are no file of a supported version. */
bool streams_read(streams *s, brz_ctx *ctx, const uint8_t *data, size_t len);

/* Returns the bytes from an address to the end of its page, and their number; NULL at the end of
 * the stream. */
const uint8_t *stream_piece(stream *s, uint64_t at, size_t *n);

/* Returns `n` bytes at an address if they are in the most recently used piece, or else NULL. The
 * stream is not empty. */
static inline const uint8_t *stream_recent(const stream *s, uint64_t at, size_t n)
{
    const piece *p = &s->pieces[s->last];
    return p[0].start <= at && at + n <= p[1].start ? p->data + (at - p->start) : NULL;
}

/* Returns `n` bytes at an address: in place, or joined in `copy`. Returns NULL if there are fewer.
 */
const uint8_t *stream_bytes(stream *s, uint64_t at, size_t n, uint8_t *copy);

#endif
