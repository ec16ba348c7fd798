/* SPDX-License-Identifier: MIT */
/* Caches stack lines, each with the line that last followed it.
 *
 * A function is usually called from the same place as the last time, so the next line can be
 * predicted and only needs a comparison. The cache is bounded; its entries are whole lines, with
 * spaces and offsets.
 */
#ifndef DTRACE_FOLLOWERS_H
#define DTRACE_FOLLOWERS_H

#include <brazier/text/buffer.h>
#include <brazier/text/frame_cache.h>

#include <string.h>

#define FOLLOWERS_LINES   (1u << 16)
#define FOLLOWERS_LONGEST 512

typedef struct follower {
    size_t text; /* position of its text */
    uint32_t len, indent;
    uint32_t value; /* cached value of its frame */
    uint32_t next;  /* the line that followed it */
} follower;

typedef struct followers {
    follower *lines; /* line 0 is a sentinel that follows itself */
    uint32_t n, cap;
    brz_text texts;
    brz_frame_cache places; /* maps text to lines */
} followers;

static inline void followers_init(followers *f, brz_ctx *ctx)
{
    f->cap = 256;
    f->n = 1;
    f->lines = ctx->host->alloc(ctx, f->cap * sizeof *f->lines, 0);
    f->lines[0].len = UINT32_MAX;
    brz_frame_cache_init(&f->places, ctx);
}

/* Returns the line that followed `last` the last time if it equals `raw`; otherwise 0. */
static inline uint32_t followers_expect(const followers *f, uint32_t last, brz_str raw)
{
    uint32_t next = f->lines[last].next;
    const follower *l = &f->lines[next];
    if (l->len != raw.len || memcmp(f->texts.data + l->text, raw.data, raw.len) != 0)
        return 0;
    return next;
}

/* Returns the number of a line that follows `last`, or 0 if it is not cached. */
static inline uint32_t followers_find(const followers *f, uint32_t last, const brz_frame_key *key)
{
    uint32_t line = brz_frame_cache_find(&f->places, key);
    if (line == BRZ_CACHE_MISS)
        return 0;
    if (last != 0)
        f->lines[last].next = line;
    return line;
}

/* Adds a line with its value to the cache. Returns 0 if there is no room. */
static inline uint32_t followers_add(followers *f, brz_ctx *ctx, uint32_t last,
                                     const brz_frame_key *key, uint32_t indent, uint32_t value)
{
    if (f->n == FOLLOWERS_LINES || key->text.len > FOLLOWERS_LONGEST)
        return 0;
    if (f->n == f->cap) {
        follower *lines = ctx->host->alloc(ctx, (size_t)2 * f->cap * sizeof *lines, 0);
        memcpy(lines, f->lines, f->n * sizeof *lines);
        f->lines = lines;
        f->cap *= 2;
    }
    follower *l = &f->lines[f->n];
    l->text = f->texts.len;
    l->len = (uint32_t)key->text.len;
    l->indent = indent;
    l->value = value;
    brz_text_append(&f->texts, ctx, key->text);
    brz_frame_cache_put(&f->places, ctx, key, f->n);
    if (last != 0)
        f->lines[last].next = f->n;
    return f->n++;
}

#endif
