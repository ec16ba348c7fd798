/* SPDX-License-Identifier: MIT */
/* Implements a stream that keeps the bytes that are read and can return to its beginning. */
#include "input/stream.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

typedef struct rewind_stream {
    brz_stream base;
    brz_stream *below;
    uint8_t *seen; /* all bytes read from below, until they are no longer needed */
    size_t n, cap;
    size_t at;          /* position in `seen` */
    atomic_bool passes; /* the stream will not be rewound any more */
    bool kept;          /* the next close leaves the stream open */
} rewind_stream;

static void keep(rewind_stream *r, const uint8_t *bytes, size_t n)
{
    if (r->cap - r->n < n) {
        r->cap = 2 * (r->n + n);
        r->seen = brz_realloc(r->seen, r->cap, 1);
    }
    memcpy(r->seen + r->n, bytes, n);
    r->at = r->n += n;
}

static void forget(rewind_stream *r)
{
    free(r->seen);
    r->seen = NULL;
    r->n = r->cap = r->at = 0;
}

static size_t rewind_read(brz_stream *base, uint8_t *to, size_t n)
{
    rewind_stream *r = (rewind_stream *)base;
    bool passes = atomic_load_explicit(&r->passes, memory_order_relaxed);
    if (r->at < r->n) {
        size_t give = r->n - r->at < n ? r->n - r->at : n;
        memcpy(to, r->seen + r->at, give);
        r->at += give;
        return give;
    }
    if (passes && r->seen != NULL)
        forget(r);
    size_t got = r->below->state == BRZ_STREAM_OPEN ? r->below->read(r->below, to, n) : 0;
    if (got > 0 && !passes)
        keep(r, to, got);
    if (got == 0 && r->below->state != BRZ_STREAM_OPEN)
        brz_stream_end_like(base, r->below);
    return got;
}

static void rewind_close(brz_stream *base)
{
    rewind_stream *r = (rewind_stream *)base;
    bool kept = r->kept;
    r->kept = false;
    if (kept)
        return;
    brz_stream_close(r->below);
    forget(r);
    free(r);
}

brz_stream *brz_stream_rewindable(brz_stream *below)
{
    rewind_stream *r = brz_calloc(1, sizeof *r);
    r->base.read = rewind_read;
    r->base.close = rewind_close;
    r->base.is_live = below->is_live;
    r->below = below;
    return &r->base;
}

void brz_stream_rewind(brz_stream *base, brz_stream *top)
{
    rewind_stream *r = (rewind_stream *)base;
    if (top != base) {
        r->kept = true;
        brz_stream_close(top);
    }
    r->at = 0;
    brz_buf_clear(&base->error);
    base->state = BRZ_STREAM_OPEN;
}

void brz_stream_pass(brz_stream *base)
{
    rewind_stream *r = (rewind_stream *)base;
    atomic_store_explicit(&r->passes, true, memory_order_relaxed);
}
