/* SPDX-License-Identifier: MIT */
/* Streams that read files, memory and functions. */
#include "input/stream.h"

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

size_t brz_stream_fill(brz_stream *s, uint8_t *to, size_t n)
{
    size_t have = 0;
    while (have < n && s->state == BRZ_STREAM_OPEN && (have == 0 || !s->is_live))
        have += s->read(s, to + have, n - have);
    return have;
}

void brz_stream_close(brz_stream *s)
{
    if (s == NULL)
        return;
    brz_buf_finish(&s->error);
    s->close(s);
}

void brz_stream_end_like(brz_stream *s, const brz_stream *below)
{
    s->state = below->state;
    brz_buf_add_str(&s->error, brz_buf_str(&below->error));
}

size_t brz_stream_read_packed(brz_stream *s, brz_stream *below, uint8_t *to, size_t n,
                              bool is_inside, const char *format)
{
    size_t got = below->state == BRZ_STREAM_OPEN ? below->read(below, to, n) : 0;
    if (got > 0)
        return got;
    if (below->state == BRZ_STREAM_END && is_inside) {
        s->state = BRZ_STREAM_DAMAGED;
        brz_buf_printf(&s->error, "%s data ends early", format);
    } else {
        brz_stream_end_like(s, below);
    }
    return 0;
}

/* Closes a stream that owns nothing but itself. */
static void close_plain(brz_stream *base)
{
    free(base);
}

/* ---- files --------------------------------------------------------------------------------- */

typedef struct file_stream {
    brz_stream base;
    int fd;
} file_stream;

static size_t file_read(brz_stream *base, uint8_t *to, size_t n)
{
    file_stream *f = (file_stream *)base;
    for (;;) {
        ssize_t got = read(f->fd, to, n);
        if (got > 0) {
            atomic_fetch_add_explicit(&base->taken, (uint64_t)got, memory_order_relaxed);
            return (size_t)got;
        }
        if (got < 0 && errno == EINTR)
            continue;
        base->state = got == 0 ? BRZ_STREAM_END : BRZ_STREAM_FAILED;
        if (got < 0)
            brz_buf_add_text(&base->error, strerror(errno));
        return 0;
    }
}

static void file_close(brz_stream *base)
{
    file_stream *f = (file_stream *)base;
    close(f->fd);
    free(f);
}

brz_stream *brz_stream_of_file(int fd)
{
    file_stream *f = brz_calloc(1, sizeof *f);
    f->base.read = file_read;
    f->base.close = file_close;
    f->fd = fd;
    return &f->base;
}

/* ---- memory -------------------------------------------------------------------------------- */

typedef struct memory_stream {
    brz_stream base;
    const uint8_t *data;
    size_t at, n;
} memory_stream;

static size_t memory_read(brz_stream *base, uint8_t *to, size_t n)
{
    memory_stream *m = (memory_stream *)base;
    size_t give = m->n - m->at < n ? m->n - m->at : n;
    if (give > 0)
        memcpy(to, m->data + m->at, give);
    m->at += give;
    atomic_store_explicit(&base->taken, m->at, memory_order_relaxed);
    if (give == 0)
        base->state = BRZ_STREAM_END;
    return give;
}

brz_stream *brz_stream_of_memory(const void *data, size_t n)
{
    memory_stream *m = brz_calloc(1, sizeof *m);
    m->base.read = memory_read;
    m->base.close = close_plain;
    m->data = data;
    m->n = n;
    return &m->base;
}

/* ---- functions of the program
 * ----------------------------------------------------------------- */

typedef struct function_stream {
    brz_stream base;
    brz_read_fn *read;
    void *context;
} function_stream;

static size_t function_read(brz_stream *base, uint8_t *to, size_t n)
{
    function_stream *f = (function_stream *)base;
    int64_t got = f->read(f->context, to, n);
    if (got > 0 && (uint64_t)got <= n) {
        atomic_fetch_add_explicit(&base->taken, (uint64_t)got, memory_order_relaxed);
        return (size_t)got;
    }
    base->state = got == 0 ? BRZ_STREAM_END : BRZ_STREAM_FAILED;
    if (got != 0)
        brz_buf_add_text(&base->error, got < 0 ? "the program's read function failed"
                                               : "the program's read function returned too much");
    return 0;
}

brz_stream *brz_stream_of_function(brz_read_fn *read, void *context)
{
    function_stream *f = brz_calloc(1, sizeof *f);
    f->base.read = function_read;
    f->base.close = close_plain;
    f->read = read;
    f->context = context;
    return &f->base;
}

/* ---- pushed back bytes
 * ------------------------------------------------------------------------- */

typedef struct unread_stream {
    brz_stream base;
    brz_stream *below;
    uint8_t *head;
    size_t at, n;
} unread_stream;

static size_t unread_read(brz_stream *base, uint8_t *to, size_t n)
{
    unread_stream *u = (unread_stream *)base;
    if (u->at < u->n) {
        size_t give = u->n - u->at < n ? u->n - u->at : n;
        memcpy(to, u->head + u->at, give);
        u->at += give;
        return give;
    }
    size_t got = u->below->state == BRZ_STREAM_OPEN ? u->below->read(u->below, to, n) : 0;
    if (u->below->state != BRZ_STREAM_OPEN && got == 0)
        brz_stream_end_like(base, u->below);
    return got;
}

static void unread_close(brz_stream *base)
{
    unread_stream *u = (unread_stream *)base;
    brz_stream_close(u->below);
    free(u->head);
    free(u);
}

brz_stream *brz_stream_unread(brz_stream *below, const uint8_t *head, size_t n)
{
    unread_stream *u = brz_calloc(1, sizeof *u);
    u->base.read = unread_read;
    u->base.close = unread_close;
    u->base.is_live = below->is_live;
    u->below = below;
    u->n = n;
    u->head = brz_calloc(n, 1);
    if (n > 0)
        memcpy(u->head, head, n);
    return &u->base;
}
