/* Unpacks compressed records.
 *
 * All compressed records of a recording are one zstd stream of ordinary records, which may begin in
 * one compressed record and end in the next one. Unpacked records lie in blocks, each of which is
 * used again when all of its records have been delivered.
 */
#ifndef PERF_DATA_UNPACK_H
#define PERF_DATA_UNPACK_H

#include <brazier/host.h>

/* The block of records that lie in the input itself. */
#define NO_BLOCK UINT32_MAX

typedef struct unpack_block {
    uint8_t *data;
    size_t len;     /* bytes that are unpacked */
    size_t taken;   /* bytes of these that the caller has taken as records */
    uint32_t users; /* records that are not delivered yet */
} unpack_block;

typedef struct unpack {
    void *stream; /* ZSTD_DStream; NULL: nothing was compressed so far */
    unpack_block *blocks;
    size_t n, cap;
    uint32_t current; /* NO_BLOCK: none yet */
    uint32_t *free;
    size_t n_free, cap_free;
    bool failed; /* the stream is damaged */
} unpack;

/* Takes records from the unpacked bytes of a block, and returns how many bytes it took. Sets
 * *broken if the bytes are not records. */
typedef size_t unpack_take(void *context, uint32_t block, const uint8_t *data, size_t len,
                           bool *broken);

/* Unpacks the body of a compressed record. Returns false if the stream is damaged: nothing can be
 * unpacked from then on. */
bool unpack_feed(unpack *u, brz_ctx *ctx, const uint8_t *data, size_t len, unpack_take *take,
                 void *context);

/* Counts a record of a block as used, or as delivered. */
static inline void unpack_hold(unpack *u, uint32_t block)
{
    if (block != NO_BLOCK)
        u->blocks[block].users++;
}
void unpack_release(unpack *u, brz_ctx *ctx, uint32_t block);

/* Releases the stream. */
void unpack_finish(unpack *u);

#endif
