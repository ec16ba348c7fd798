/* SPDX-License-Identifier: MIT */
/* Buffers the bytes of an input for a collapser. */
#include "input/feed.h"

#include <brazier/text/avx2.h>
#include <brazier/text/newline.h>

#include <stdlib.h>
#include <string.h>

#if BRZ_HAVE_AVX2
/* Counts the newlines in whole blocks of 64 bytes. Vectorised because it reads every byte of a
 * stream. */
__attribute__((target("avx2,popcnt"))) static uint64_t count_in_blocks(const uint8_t *p, size_t n)
{
    const brz_vec32 newline = brz_fill32('\n');
    uint64_t lines = 0;
    for (size_t i = 0; i < n; i += 64)
        lines += (uint64_t)__builtin_popcountll(brz_equal_mask64((const char *)p + i, newline));
    return lines;
}
#endif

/* Returns the number of newlines. */
static uint64_t count_newlines(const uint8_t *p, size_t n)
{
    uint64_t lines = 0;
    size_t i = 0;
#if BRZ_HAVE_AVX2
    if (brz_cpu_has_avx2()) {
        i = n & ~(size_t)63;
        lines = count_in_blocks(p, i);
    }
#endif
    for (; i < n; i++)
        lines += p[i] == '\n';
    return lines;
}

/* Returns whether the bytes that the source keeps are the whole input. */
static bool is_kept(const brz_source *s)
{
    return s->fd >= 0 && s->raw.ended;
}

/* Files of this size fill the buffer for `prelude`, which then costs less in a large page. */
#define LONG_FILE ((uint64_t)2 << 20)

static uint8_t *make_buffer(const brz_source *s, size_t *cap)
{
    *cap = BRZ_PRELUDE_SIZE;
    return brz_source_size(s) < LONG_FILE ? brz_slack_buffer(*cap) : brz_slack_large_buffer(cap);
}

/* Starts at the beginning of the input. A short file needs no buffer. */
static void begin(brz_feed *f)
{
    const brz_source *s = f->source;
    f->borrows = is_kept(s);
    f->ended = f->borrows;
    f->cap = s->raw.n;
    f->memory = f->borrows ? s->raw.memory : make_buffer(s, &f->cap);
    f->at = f->borrows ? (size_t)s->file_start : 0;
    f->end = f->borrows ? s->raw.n : 0;
    f->offset = f->column = 0;
    f->line = 1;
}

void brz_feed_init(brz_feed *f, brz_source *source)
{
    memset(f, 0, sizeof *f);
    f->source = source;
    begin(f);
}

void brz_feed_release(brz_feed *f)
{
    if (!f->borrows)
        free(f->memory);
    f->memory = NULL;
}

void brz_feed_finish(brz_feed *f)
{
    brz_feed_release(f);
    memset(f, 0, sizeof *f);
}

void brz_feed_restart(brz_feed *f)
{
    brz_source *source = f->source;
    brz_feed_finish(f);
    brz_feed_init(f, source);
}

/* Moves the unconsumed bytes to the front of the buffer, or into a larger buffer. */
static void make_room(brz_feed *f, size_t want)
{
    if (f->at == 0 && want <= f->cap)
        return;
    uint8_t *old = f->memory;
    if (want > f->cap) {
        f->cap = want;
        f->memory = brz_slack_buffer(f->cap);
    }
    memmove(f->memory + BRZ_SLACK_FRONT, old + BRZ_SLACK_FRONT + f->at, brz_feed_len(f));
    if (f->memory != old)
        free(old);
    f->end -= f->at;
    f->at = 0;
}

void brz_feed_fill(brz_feed *f, size_t want)
{
    if (brz_feed_len(f) >= want || f->ended)
        return;
    make_room(f, want); /* always at the front: the used part stays in the cache */
    uint8_t *to = f->memory + BRZ_SLACK_FRONT + f->end;
    f->end += brz_stream_fill(f->source->stream, to, want - brz_feed_len(f));
    brz_slack_clear(f->memory, f->end);
    f->ended = f->source->stream->state != BRZ_STREAM_OPEN;
}

bool brz_feed_is_complete(const brz_feed *f)
{
    return f->borrows || f->source->stream->state == BRZ_STREAM_END;
}

/* Advances line and column by the next `n` bytes. */
static void follow_lines(brz_feed *f, size_t n)
{
    const uint8_t *p = brz_feed_data(f), *newline = memrchr(p, '\n', n);
    f->line += count_newlines(p, n);
    f->column = newline == NULL ? f->column + n : (uint64_t)(p + n - newline) - 1;
}

void brz_feed_consume(brz_feed *f, size_t n)
{
    if (f->source->fd < 0)
        follow_lines(f, n);
    f->offset += n;
    f->at += n;
}
