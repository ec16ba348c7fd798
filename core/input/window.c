/* SPDX-License-Identifier: MIT */
/* Provides pieces of a plain file. */
#include "input/window.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/read_at.h"

void brz_window_init(brz_window *w, const brz_source *source)
{
    *w = (brz_window){.source = source};
}

void brz_window_finish(brz_window *w)
{
    free(w->buffer);
    *w = (brz_window){0};
}

void brz_window_take(brz_window *w, brz_feed *f)
{
    if (f->borrows)
        return;
    w->buffer = f->memory;
    w->cap = f->cap;
    w->start = w->source->file_start + f->offset - f->at;
    w->len = f->end;
    f->memory = NULL;
    f->cap = f->at = f->end = 0;
}

const char *brz_window_problem(const brz_window *w)
{
    if (w->error != 0)
        return strerror(w->error);
    return w->is_cut ? BRZ_BECAME_SHORTER : NULL;
}

/* Moves the bytes from the offset `at` on, if the buffer has them, to the front of a buffer of at
 * least `want` bytes. */
static void begin_at(brz_window *w, uint64_t at, size_t want)
{
    bool has = at >= w->start && at - w->start < w->len;
    size_t skipped = has ? (size_t)(at - w->start) : w->len;
    uint8_t *old = w->buffer;
    if (w->cap < want) {
        w->cap = want;
        w->buffer = brz_slack_buffer(want);
    }
    w->len -= skipped;
    w->start = at;
    if (w->len > 0)
        memmove(w->buffer + BRZ_SLACK_FRONT, old + BRZ_SLACK_FRONT + skipped, w->len);
    if (w->buffer != old)
        free(old);
}

/* Reads until the buffer has `want` bytes, or up to the end of the file. */
static void read_rest(brz_window *w, size_t want)
{
    uint64_t at = w->start + w->len;
    size_t n = brz_read_at(w->source->fd, w->buffer + BRZ_SLACK_FRONT + w->len, want - w->len, at);
    w->len += n;
    brz_slack_clear(w->buffer, w->len);
    if (w->len == want)
        return;
    w->error = errno;
    w->is_cut |= at + n < w->source->file_size;
}

const uint8_t *brz_window_at(brz_window *w, uint64_t offset, size_t *n)
{
    uint64_t at = w->source->file_start + offset;
    if (at < w->start || at + *n > w->start + w->len) {
        begin_at(w, at, *n);
        read_rest(w, *n);
    }
    size_t have = (size_t)(w->start + w->len - at);
    *n = *n < have ? *n : have;
    return w->buffer + BRZ_SLACK_FRONT + (at - w->start);
}
