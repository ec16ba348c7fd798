/* SPDX-License-Identifier: MIT */
/* Drives threads on a plain file: each thread takes a range at a time, from the first boundary at
 * or after its start to the first one at or after its end. A single thread takes the whole file. */
#include "collapse/drivers.h"

#include <stdlib.h>
#include <string.h>

#include "plugin/crash.h"
#include "base/mem.h"
#include "input/progress.h"
#include "base/thread.h"
#include "input/window.h"

typedef struct ranges {
    brz_drive *drive;
    uint64_t begin, end; /* range of the records, in decoded bytes */
    uint64_t size;       /* size of a range */
    _Atomic uint64_t next;
    atomic_uint index;
    atomic_bool reported; /* the file could not be read, which was reported */
} ranges;

/* Fails the input if the window could not read it. Several threads may encounter the same
 * problem. */
static void check_read(ranges *r, brz_window *w)
{
    brz_drive *d = r->drive;
    const char *problem = brz_window_problem(w);
    if (problem == NULL)
        return;
    brz_drive_fail(d);
    if (!atomic_exchange(&r->reported, true))
        brz_say_code(d->run->console, BRZ_FATAL, BRZ_SAYS_READ, "%s: cannot be read: %s",
                     w->source->name, problem);
}

/* Returns the first boundary at or after `offset`. The threads on both sides of a boundary find it
 * with this function. */
static uint64_t find_boundary(ranges *r, brz_window *w, uint64_t offset)
{
    brz_drive *d = r->drive;
    if (offset <= r->begin || offset >= r->end)
        return offset <= r->begin ? r->begin : r->end;
    for (size_t want = (size_t)4 << 10;; want *= 4) {
        size_t n = want;
        const uint8_t *p = brz_window_at(w, offset - 1, &n);
        size_t at = n > 1 ? brz_drive_boundary(d, p, n, 1, offset - 1) : n;
        check_read(r, w);
        if (at < n)
            return offset - 1 + at;
        if (n < want || want > brz_drive_record_max(d))
            return r->end;
    }
}

/* Skips a record that exceeds the maximum size, up to the next line. */
static uint64_t skip_record(ranges *r, brz_instance *i, brz_window *w, uint64_t at)
{
    size_t n = 1;
    if (!brz_drive_skips_record(r->drive, i, i->chunk))
        return r->end;
    for (at += brz_drive_record_max(r->drive); at < r->end && n > 0; at += n) {
        n = BRZ_PRELUDE_SIZE;
        const uint8_t *p = brz_window_at(w, at, &n);
        const uint8_t *newline = memchr(p, '\n', n);
        check_read(r, w);
        if (newline != NULL)
            return at + (uint64_t)(newline + 1 - p);
    }
    return r->end;
}

/* Parses the records from one boundary to another. */
static void parse_range(ranges *r, brz_instance *i, brz_window *w, uint64_t at, uint64_t to)
{
    brz_drive *d = r->drive;
    size_t want = brz_drive_chunk_size(d);
    brz_piece p = {.flags = BRZ_CHUNK_RANGE_START | (at == r->begin ? BRZ_CHUNK_INPUT_START : 0)};
    while (at < to && !brz_drive_is_over_at(d, at)) {
        size_t wanted = (size_t)(to - at < want ? to - at : want);
        p.len = wanted;
        p.data = brz_window_at(w, at, &p.len);
        p.offset = at;
        bool last = at + p.len == to || p.len < wanted; /* the file may have become shorter */
        p.flags |= last ? BRZ_CHUNK_LAST : 0;
        size_t used = brz_drive_parse(d, i, &p);
        check_read(r, w);
        if (last)
            brz_drive_report_rest(d, i, &p, used);
        if (last || brz_drive_is_over_at(d, at))
            break;
        atomic_fetch_add_explicit(&d->feed->source->file->taken, used, memory_order_relaxed);
        if (i->ctx.index == 0)
            brz_progress_tick(d->options->progress, d->feed->source);
        at += used;
        p.flags = used > 0 ? 0 : p.flags;
        if (!brz_drive_advance_or_grow(d, used, &want)) {
            at = skip_record(r, i, w, at);
            p.flags = BRZ_CHUNK_RANGE_START;
        }
    }
}

static void work_on_ranges(ranges *r)
{
    brz_drive *d = r->drive;
    unsigned index = atomic_fetch_add(&r->index, 1);
    brz_instance *i = d->instances[index];
    brz_window w;
    brz_window_init(&w, d->feed->source);
    if (index == 0 && !d->feed->ended)
        brz_window_take(&w, d->feed);
    while (!brz_drive_is_over(d)) {
        uint64_t start = atomic_fetch_add(&r->next, r->size);
        if (start >= r->end)
            break;
        uint64_t from = find_boundary(r, &w, start), to = find_boundary(r, &w, start + r->size);
        parse_range(r, i, &w, from, to);
    }
    brz_window_finish(&w);
}

static void *work_on_own_thread(void *arg)
{
    void *stack = brz_crash_thread_begin();
    work_on_ranges(arg);
    brz_crash_thread_end(stack);
    return NULL;
}

/* Processes the ranges on all threads, including this one. */
static void run_threads(ranges *r)
{
    const brz_drive *d = r->drive;
    pthread_t *threads = brz_calloc(d->n_instances, sizeof *threads);
    size_t started = 0;
    while (started + 1 < d->n_instances &&
           brz_thread_start(&threads[started], work_on_own_thread, r))
        started++;
    work_on_ranges(r);
    for (size_t t = 0; t < started; t++)
        pthread_join(threads[t], NULL);
    free(threads);
}

static uint64_t range_size(const brz_drive *d, uint64_t bytes)
{
    uint64_t size = bytes / (4 * (uint64_t)d->options->threads);
    if (d->n_instances == 1)
        return UINT64_MAX / 2;
    if (d->options->range_size > 0)
        return d->options->range_size;
    return size > BRZ_SMALLEST_RANGE ? size : BRZ_SMALLEST_RANGE;
}

void brz_drive_ranges(brz_drive *d)
{
    const brz_source *s = d->feed->source;
    ranges r = {.drive = d, .begin = d->feed->offset, .end = s->file_size - s->file_start};
    r.size = range_size(d, r.end - r.begin);
    atomic_init(&r.next, r.begin);
    atomic_init(&r.index, 0);
    run_threads(&r);
    if (brz_drive_is_over(d))
        return;
    atomic_store_explicit(&s->file->taken, s->file_size, memory_order_relaxed);
    brz_progress_tick(d->options->progress, s);
}
