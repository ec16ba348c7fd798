/* SPDX-License-Identifier: MIT */
/* Reads the integers and texts of a chunk. */
#ifndef JFR_READER_H
#define JFR_READER_H

#include <brazier/binary.h>
#include <brazier/text/buffer.h>

/* Sizes of integers that are not packed. */
#define SHORT_SIZE 2u
#define INT_SIZE   4u
#define LONG_SIZE  8u

typedef struct reader {
    brz_ctx *ctx;
    bool packed;     /* integers are of variable length */
    brz_text texts;  /* texts that the chunk has in another encoding than UTF-8 */
    uint64_t budget; /* bytes of names and labels, and frames, that may still be made */
    bool is_spent;   /* the budget did not suffice, so the run has failed */
} reader;

/* A text, or the id of one in the constants. */
typedef struct reader_text {
    brz_str text;
    uint64_t id;
    bool is_id;
} reader_text;

/* Takes an integer that has `size` bytes unless the chunk packs integers. */
static inline uint64_t reader_int(const reader *r, brz_bytes *b, uint32_t size)
{
    return r->packed ? brz_bytes_varint9(b) : brz_bytes_uint(b, size);
}

/* Takes a text in any of the encodings. It is valid until the reader's texts are reset. */
reader_text reader_take_text(reader *r, brz_bytes *b);

/* Moves past a text. */
void reader_skip_text(reader *r, brz_bytes *b);

/* Takes `amount` off the budget, which bounds the work for hostile inputs: names may be shared by
 * any number of frames. Returns false, and fails the run once, if the budget is spent. */
bool reader_spend(reader *r, uint64_t amount);

#endif
