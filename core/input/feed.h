/* SPDX-License-Identifier: MIT */
/* Buffers the bytes of an input for a collapser: the buffer is filled from a source, consumed from
 * the front, and surrounded by readable bytes. */
#ifndef BRZ_FEED_H
#define BRZ_FEED_H

#include <brazier/collapser.h>

#include "input/slack.h"
#include "input/source.h"

typedef struct brz_feed {
    brz_source *source;
    uint8_t *memory; /* slack, `cap` bytes, slack */
    size_t cap;
    bool borrows;    /* `memory` is the source's, which holds the whole input */
    size_t at, end;  /* range of the unconsumed bytes */
    uint64_t offset; /* of the byte at `at`, in the source's decoded bytes */
    uint64_t line;   /* of that byte, from 1; maintained for sources without a descriptor */
    uint64_t column; /* of that byte, from 0, likewise */
    bool ended;      /* the source has no more bytes */
} brz_feed;

/* Initialises a feed. The source must outlive it. */
void brz_feed_init(brz_feed *f, brz_source *source);
void brz_feed_finish(brz_feed *f);

/* Frees the buffer of a file that is mapped from now on. */
void brz_feed_release(brz_feed *f);

/* Discards all bytes after the source has returned to its beginning. */
void brz_feed_restart(brz_feed *f);

/* Reads until there are at least `want` unconsumed bytes or the source ends. Moves them to the
 * front of the buffer and enlarges it if necessary. */
void brz_feed_fill(brz_feed *f, size_t want);

/* Returns whether the source has ended without an error. */
bool brz_feed_is_complete(const brz_feed *f);

/* Skips the first `n` bytes, which must be in the buffer. */
void brz_feed_consume(brz_feed *f, size_t n);

/* Returns the unconsumed bytes, which are surrounded by BRZ_SLACK_FRONT and BRZ_SLACK_BACK readable
 * bytes. Valid until the feed is filled. */
static inline const uint8_t *brz_feed_data(const brz_feed *f)
{
    return f->memory + BRZ_SLACK_FRONT + f->at;
}

static inline size_t brz_feed_len(const brz_feed *f)
{
    return f->end - f->at;
}

#endif
