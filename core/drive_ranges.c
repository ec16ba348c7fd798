/* Several threads and a file: each takes a range of it at a time, from the first boundary at or
 * behind its start to the first one at or behind its end, and reads it through a buffer of its
 * own. */
#include "drive.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mem.h"
#include "progress.h"

typedef struct ranges {
    brz_drive *drive;
    uint64_t begin, end; /* of the records, in decoded bytes */
    uint64_t size;       /* of a range */
    _Atomic uint64_t next;
    atomic_uint index;
} ranges;

/* Reads up to n bytes at an offset; fewer only at the end or when that fails the run. */
static size_t read_at(brz_drive *d, uint64_t offset, uint8_t *to, size_t n)
{
    const brz_source *s = d->feed->source;
    size_t have = 0;
    while (have < n) {
        ssize_t got = pread(s->fd, to + have, n - have, (off_t)(s->file_start + offset + have));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            brz_say(d->run->console, BRZ_FATAL, "%s: cannot be read: %s", s->name, strerror(errno));
            brz_drive_fail(d);
        }
        if (got <= 0)
            break;
        have += (size_t)got;
    }
    return have;
}

/* The first boundary at or behind `offset`. Both neighbours of a boundary find it by this. */
static uint64_t find_boundary(const ranges *r, uint64_t offset)
{
    brz_drive *d = r->drive;
    if (offset <= r->begin || offset >= r->end)
        return offset <= r->begin ? r->begin : r->end;
    for (size_t window = (size_t)64 << 10;; window *= 4) {
        uint8_t *buf = brz_slack_buffer(window);
        size_t n = read_at(d, offset - 1, buf + BRZ_SLACK_FRONT, window);
        size_t at = d->collapser->boundary(d->shared, buf + BRZ_SLACK_FRONT, n, 1);
        free(buf);
        if (at < n)
            return offset - 1 + at;
        if (n < window || window > BRZ_RECORD_MAX)
            return r->end;
    }
}

/* Parses from one boundary to another, through a buffer of this thread's. */
static void parse_range(ranges *r, brz_instance *i, uint64_t from, uint64_t to, uint8_t **buf,
                        size_t *cap)
{
    brz_drive *d = r->drive;
    brz_piece p = {.flags = BRZ_CHUNK_FIRST | (from == r->begin ? BRZ_CHUNK_START : 0)};
    size_t have = 0;
    for (uint64_t at = from; !brz_drive_is_over(d);) {
        size_t left = (size_t)(to - at) < *cap ? (size_t)(to - at) : *cap;
        size_t got = read_at(d, at + have, *buf + BRZ_SLACK_FRONT + have, left - have);
        have += got;
        atomic_fetch_add_explicit(&d->feed->source->file->taken, got, memory_order_relaxed);
        bool last = at + have == to || have < left; /* the file may have become shorter */
        p.data = *buf + BRZ_SLACK_FRONT;
        p.len = have;
        p.offset = at;
        p.flags |= last ? BRZ_CHUNK_LAST : 0;
        size_t used = brz_drive_parse(d, i, &p);
        if (i->ctx.index == 0)
            brz_progress_tick(d->options->progress, d->feed->source);
        if (last) {
            brz_drive_report_rest(i, &p, used);
            break;
        }
        p.flags &= used > 0 ? ~(BRZ_CHUNK_FIRST | BRZ_CHUNK_START) : ~0u;
        at += used;
        have -= used;
        if (used > 0) {
            memmove(*buf + BRZ_SLACK_FRONT, p.data + used, have);
            continue;
        }
        uint8_t *larger = brz_slack_buffer(2 * *cap);
        memcpy(larger + BRZ_SLACK_FRONT, p.data, have);
        free(*buf);
        *buf = larger;
        *cap *= 2;
    }
}

static void *work_on_ranges(void *arg)
{
    ranges *r = arg;
    brz_drive *d = r->drive;
    brz_instance *i = d->instances[atomic_fetch_add(&r->index, 1)];
    size_t cap = brz_drive_chunk_size(d);
    uint8_t *buf = brz_slack_buffer(cap);
    while (!brz_drive_is_over(d)) {
        uint64_t start = atomic_fetch_add(&r->next, r->size);
        if (start >= r->end)
            break;
        uint64_t from = find_boundary(r, start), to = find_boundary(r, start + r->size);
        if (from < to)
            parse_range(r, i, from, to, &buf, &cap);
    }
    free(buf);
    return NULL;
}

/* Runs a function on all threads, this one included. */
static void run_threads(brz_drive *d, void *(*work)(void *), void *arg)
{
    pthread_t *threads = brz_calloc(d->n_instances, sizeof *threads);
    size_t started = 0;
    while (started + 1 < d->n_instances && pthread_create(&threads[started], NULL, work, arg) == 0)
        started++;
    work(arg);
    for (size_t t = 0; t < started; t++)
        pthread_join(threads[t], NULL);
    free(threads);
}

static uint64_t range_size(const brz_drive *d, uint64_t bytes)
{
    uint64_t size = bytes / (4 * (uint64_t)d->options->threads);
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
    run_threads(d, work_on_ranges, &r);
}
