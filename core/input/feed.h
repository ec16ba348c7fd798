/* The bytes of an input on their way to a collapser: a buffer with slack around it that is filled
 * from a source and emptied from the front. */
#ifndef BRZ_FEED_H
#define BRZ_FEED_H

#include <brazier/collapser.h>

#include "input/source.h"

typedef struct brz_feed {
    brz_source *source;
    uint8_t *memory; /* slack, cap bytes, slack */
    size_t cap;
    size_t at, end;  /* what is in the buffer and not consumed */
    uint64_t offset; /* of the byte at `at`, in the source's decoded bytes */
    uint64_t line;   /* of that byte, from 1; kept up for sources without a descriptor */
    uint64_t column; /* likewise, from 0 */
    bool ended;      /* the source has no more */
} brz_feed;

/* The source outlives it. */
void brz_feed_init(brz_feed *f, brz_source *source);
void brz_feed_finish(brz_feed *f);

/* Reads until at least `want` unconsumed bytes are there, or the source ends. Moves them to the
 * front and enlarges the buffer as needed. */
void brz_feed_fill(brz_feed *f, size_t want);

/* Passes over the first n bytes, which are there. */
void brz_feed_consume(brz_feed *f, size_t n);

/* What is there and not consumed, with BRZ_SLACK_FRONT and BRZ_SLACK_BACK bytes around it. Valid
 * until it is filled. */
static inline const uint8_t *brz_feed_data(const brz_feed *f)
{
    return f->memory + BRZ_SLACK_FRONT + f->at;
}

static inline size_t brz_feed_len(const brz_feed *f)
{
    return f->end - f->at;
}

/* A buffer of `cap` bytes with slack in front and behind; free() it. The bytes begin at
 * BRZ_SLACK_FRONT. */
uint8_t *brz_slack_buffer(size_t cap);

/* How many newlines there are. */
uint64_t brz_count_newlines(const uint8_t *p, size_t n);

#endif
