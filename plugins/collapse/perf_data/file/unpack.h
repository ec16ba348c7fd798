/* SPDX-License-Identifier: MIT */
/* Unpacks compressed records.
 *
 * All compressed records of a file are one zstd stream of ordinary records, which may begin in one
 * compressed record and end in the next one. Unpacked records lie in blocks, each of which is used
 * again when all of its records have been delivered.
 */
#ifndef PERF_DATA_UNPACK_H
#define PERF_DATA_UNPACK_H

#include <brazier/host.h>

/* The block of records that lie in the input itself. */
#define NO_BLOCK UINT32_MAX

typedef struct unpack_block {
    uint8_t *data;
    size_t len;      /* bytes that are unpacked */
    size_t taken;    /* bytes of these that the caller has taken as records */
    uint32_t users;  /* records that are not delivered yet */
    bool is_current; /* a stream adds to it */
} unpack_block;

/* The blocks of all streams. */
typedef struct unpack {
    unpack_block *blocks;
    size_t n, cap;
    uint32_t *free;
    size_t n_free, cap_free;
} unpack;

/* A stream. */
typedef struct unpack_stream {
    void *zstd;       /* ZSTD_DStream; NULL: nothing was compressed so far */
    int window_log;   /* maximum window, as its logarithm */
    uint32_t current; /* its block; NO_BLOCK: none yet */
    bool failed;      /* the stream is damaged */
    uint64_t taken;   /* bytes of all blocks that were taken */
} unpack_stream;

/* Takes records from the unpacked bytes of a block, and returns how many bytes it took. Sets *stop
 * to take no more. */
typedef size_t unpack_take(void *context, uint32_t block, const uint8_t *data, size_t len,
                           bool *stop);

/* Unpacks the body of a compressed record. Returns false if the stream is damaged: nothing can be
 * unpacked until another stream begins. */
bool unpack_feed(unpack *u, unpack_stream *s, brz_ctx *ctx, const uint8_t *data, size_t len,
                 unpack_take *take, void *context);

/* Copies a record to a block of a stream that unpacks nothing. Returns the copy and its block. */
const uint8_t *unpack_store(unpack *u, unpack_stream *s, brz_ctx *ctx, const uint8_t *data,
                            size_t len, uint32_t *block);

/* Returns the number of unpacked bytes that were not taken. */
size_t unpack_rest(const unpack *u, const unpack_stream *s);

/* Counts a record of a block as used, or as delivered. */
static inline void unpack_hold(unpack *u, uint32_t block)
{
    if (block != NO_BLOCK)
        u->blocks[block].users++;
}
void unpack_release(unpack *u, brz_ctx *ctx, uint32_t block);

/* Initialises one of `n` streams, which share the memory for their windows, and releases it. */
void unpack_stream_init(unpack_stream *s, size_t n);
void unpack_stream_finish(unpack_stream *s);

#endif
