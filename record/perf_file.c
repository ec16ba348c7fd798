/* SPDX-License-Identifier: MIT */
/* Writes recordings. */
#include "record/perf_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "record/request.h"

/* Types of records that perf writes, not the kernel. */
enum {
    RECORD_ATTR = 64,
    RECORD_TRACING_DATA = 66,
    RECORD_FINISHED_ROUND = 68,
    RECORD_EVENT_UPDATE = 78,
    RECORD_FEATURE = 80,
};

/* Kind of a RECORD_EVENT_UPDATE that has a name. */
#define UPDATE_NAME 2

/* Maximum number of ids in a record with an event, whose size has 16 bits. */
#define IDS_MAX 8000

/* Maximum size of a feature that is a record, likewise. */
#define FEATURE_MAX 65000

/* Number of pending bytes from which on they are written. */
#define PENDING_MAX ((size_t)64 << 10)

/* Time between two checks of a full file system, and for the reader to free a part of the file. */
#define ROOM_WAIT_MS     5
#define ROOM_WAIT_MAX_MS 5000

typedef struct section {
    uint64_t offset, size;
} section;

typedef struct header {
    char magic[8];
    uint64_t size, attr_size;
    section attrs, data, event_types;
    uint64_t features[4];
} header;

_Static_assert(sizeof(header) == 104, "the header of perf.data has 104 bytes");

/* ---- writing --------------------------------------------------------------------------------- */

/* Waits on a full file system until the reader has freed a part of the file. Returns false if it
 * frees nothing for a while. */
static bool await_room(const brz_perf_file *f)
{
    const struct timespec moment = {.tv_nsec = ROOM_WAIT_MS * 1000000L};
    struct stat full, st;
    if (!f->is_read_along || fstat(f->fd, &full) != 0 || full.st_size < BRZ_READ_ALONG_LEAST)
        return false;
    for (int waited = 0; waited < ROOM_WAIT_MAX_MS; waited += ROOM_WAIT_MS) {
        nanosleep(&moment, NULL);
        if (fstat(f->fd, &st) == 0 && st.st_blocks < full.st_blocks)
            return true;
    }
    return false;
}

/* Returns whether a write that failed is to be tried again. */
static bool is_to_retry(const brz_perf_file *f, int error)
{
    return error == EINTR || (error == ENOSPC && await_room(f));
}

/* Writes all bytes of the pieces, whose members change. */
static void write_pieces(brz_perf_file *f, struct iovec *pieces, int n)
{
    while (n > 0 && f->error == 0) {
        ssize_t done = writev(f->fd, pieces, n);
        int error = done < 0 ? errno : 0;
        if (error != 0 && !is_to_retry(f, error))
            f->error = error;
        for (; done > 0 && n > 0; n -= pieces->iov_len == 0, pieces += pieces->iov_len == 0) {
            size_t part = (size_t)done < pieces->iov_len ? (size_t)done : pieces->iov_len;
            pieces->iov_base = (char *)pieces->iov_base + part;
            pieces->iov_len -= part;
            done -= (ssize_t)part;
        }
        for (; n > 0 && pieces->iov_len == 0; n--)
            pieces++;
    }
}

void brz_perf_file_flush(brz_perf_file *f)
{
    struct iovec piece = {f->pending.data, f->pending.len};
    if (f->pending.len > 0)
        write_pieces(f, &piece, 1);
    brz_buf_clear(&f->pending);
}

void brz_perf_file_add(brz_perf_file *f, const void *record, size_t size)
{
    brz_buf_add(&f->pending, record, size);
    f->at += size;
    if (f->pending.len >= PENDING_MAX)
        brz_perf_file_flush(f);
}

void brz_perf_file_add_ring(brz_perf_file *f, const brz_ring *r)
{
    struct iovec pieces[2];
    int n = brz_ring_pieces(r, pieces);
    uint64_t size = r->head - r->tail;
    if (size < PENDING_MAX / 4) {
        for (int i = 0; i < n; i++)
            brz_perf_file_add(f, pieces[i].iov_base, pieces[i].iov_len);
        return;
    }
    brz_perf_file_flush(f);
    write_pieces(f, pieces, n);
    f->at += size;
}

void brz_perf_file_end_round(brz_perf_file *f)
{
    const struct perf_event_header round = {.type = RECORD_FINISHED_ROUND, .size = sizeof round};
    brz_perf_file_add(f, &round, sizeof round);
}

/* ---- layout ---------------------------------------------------------------------------------- */

static header header_of(const brz_perf_file *f)
{
    header h = {.magic = {'P', 'E', 'R', 'F', 'I', 'L', 'E', '2'}, .size = sizeof h};
    h.attr_size = BRZ_ATTR_SIZE + sizeof(section);
    h.attrs = (section){f->events_at, f->n_events * h.attr_size};
    h.data.offset = f->data_at;
    return h;
}

static void add_events(brz_perf_file *f, const brz_event *events, size_t n)
{
    uint64_t ids = sizeof(header);
    f->events_at = ids;
    for (size_t i = 0; i < n; i++)
        f->events_at += events[i].n_ids * sizeof *events[i].ids;
    f->data_at = f->events_at + n * (BRZ_ATTR_SIZE + sizeof(section));
    header h = header_of(f);
    brz_perf_file_add(f, &h, sizeof h);
    for (size_t i = 0; i < n; i++)
        brz_perf_file_add(f, events[i].ids, events[i].n_ids * sizeof *events[i].ids);
    for (size_t i = 0; i < n; i++) {
        section s = {ids, events[i].n_ids * sizeof *events[i].ids};
        brz_perf_file_add(f, &events[i].attr, BRZ_ATTR_SIZE);
        brz_perf_file_add(f, &s, sizeof s);
        ids += s.size;
    }
}

void brz_perf_file_begin(brz_perf_file *f, int fd, const brz_event *events, size_t n)
{
    *f = (brz_perf_file){.fd = fd, .n_events = (uint32_t)n};
    add_events(f, events, n);
}

/* ---- layout of a pipe ------------------------------------------------------------------------ */

/* Appends a record of two parts and padding. */
static void add_record(brz_perf_file *f, uint32_t type, brz_str first, brz_str second)
{
    static const char zeros[8];
    size_t size = sizeof(struct perf_event_header) + first.len + second.len;
    size_t padded = (size + 7) / 8 * 8;
    const struct perf_event_header h = {.type = type, .size = (uint16_t)padded};
    brz_perf_file_add(f, &h, sizeof h);
    brz_perf_file_add(f, first.data, first.len);
    brz_perf_file_add(f, second.data, second.len);
    brz_perf_file_add(f, zeros, padded - size);
}

static void add_name(brz_perf_file *f, uint64_t id, const char *name)
{
    const uint64_t head[2] = {UPDATE_NAME, id};
    add_record(f, RECORD_EVENT_UPDATE, brz_str_of((const char *)head, sizeof head),
               brz_str_of(name, strlen(name) + 1));
}

/* Appends an event. One with very many ids, of which each thread and processor has one, is written
 * as several events of the same name. A single event needs no ids, since all samples are its own.
 */
static void add_pipe_event(brz_perf_file *f, const brz_event *e)
{
    const brz_str attr = brz_str_of((const char *)&e->attr, BRZ_ATTR_SIZE);
    size_t at = 0;
    do {
        size_t n = e->n_ids - at < IDS_MAX ? e->n_ids - at : IDS_MAX;
        brz_str ids = brz_str_of(n > 0 ? (const char *)(e->ids + at) : "", n * sizeof *e->ids);
        add_record(f, RECORD_ATTR, attr, ids);
        if (n > 0)
            add_name(f, e->ids[at], e->name);
        at += n;
    } while (at < e->n_ids && f->n_events > 1);
}

/* Appends the descriptions of tracepoints, which stand after their record. */
static void add_tracing(brz_perf_file *f, const brz_buf *b)
{
    static const char zeros[8];
    const uint32_t size[2] = {(uint32_t)b->len, 0};
    add_record(f, RECORD_TRACING_DATA, brz_str_of((const char *)size, sizeof size),
               brz_str_of("", 0));
    brz_perf_file_add(f, b->data, b->len);
    brz_perf_file_add(f, zeros, (b->len + 7) / 8 * 8 - b->len);
}

/* Appends a feature: in most cases a record. The one with build ids consists of records; the names
 * of events stand after the events. */
static void add_pipe_feature(brz_perf_file *f, uint64_t number, const brz_buf *b)
{
    const brz_str head = brz_str_of((const char *)&number, sizeof number);
    if (number == BRZ_FEATURE_TRACING_DATA)
        add_tracing(f, b);
    else if (number == BRZ_FEATURE_BUILD_ID)
        brz_perf_file_add(f, b->data, b->len);
    else if (number != BRZ_FEATURE_EVENT_DESC && b->len <= FEATURE_MAX)
        add_record(f, RECORD_FEATURE, head, brz_buf_str(b));
}

static void add_pipe_features(brz_perf_file *f, const brz_buf features[BRZ_FEATURES_MAX])
{
    for (size_t i = 0; i < BRZ_FEATURES_MAX; i++)
        if (features[i].len > 0)
            add_pipe_feature(f, i, &features[i]);
}

void brz_perf_file_begin_pipe(brz_perf_file *f, int fd, const brz_event *events, size_t n,
                              const brz_buf features[BRZ_FEATURES_MAX])
{
    const uint64_t size = 16;
    *f = (brz_perf_file){.fd = fd, .n_events = (uint32_t)n, .is_pipe = true};
    brz_perf_file_add(f, "PERFILE2", 8);
    brz_perf_file_add(f, &size, sizeof size);
    for (size_t i = 0; i < n; i++)
        add_pipe_event(f, &events[i]);
    add_pipe_features(f, features);
}

/* ---- end ------------------------------------------------------------------------------------- */

/* Appends the table of features and their contents. */
static void add_features(brz_perf_file *f, const brz_buf features[BRZ_FEATURES_MAX], header *h)
{
    section s = {.offset = f->at};
    for (size_t i = 0; i < BRZ_FEATURES_MAX; i++)
        s.offset += features[i].len > 0 ? sizeof s : 0;
    for (size_t i = 0; i < BRZ_FEATURES_MAX; i++) {
        if (features[i].len == 0)
            continue;
        s.size = features[i].len;
        brz_perf_file_add(f, &s, sizeof s);
        s.offset += s.size;
        h->features[i / 64] |= UINT64_C(1) << i % 64;
    }
    for (size_t i = 0; i < BRZ_FEATURES_MAX; i++)
        brz_perf_file_add(f, features[i].data != NULL ? features[i].data : "", features[i].len);
}

/* Appends the features and completes the header. */
static void end_file(brz_perf_file *f, const brz_buf features[BRZ_FEATURES_MAX])
{
    header h = header_of(f);
    h.data.size = f->at - f->data_at;
    add_features(f, features, &h);
    brz_perf_file_flush(f);
    if (f->error == 0 && pwrite(f->fd, &h, sizeof h, 0) != (ssize_t)sizeof h)
        f->error = errno;
}

bool brz_perf_file_end(brz_perf_file *f, const brz_buf features[BRZ_FEATURES_MAX])
{
    if (!f->is_pipe) {
        end_file(f, features);
    } else {
        add_pipe_features(f, features);
        brz_perf_file_flush(f);
    }
    return f->error == 0;
}

void brz_perf_file_finish(brz_perf_file *f)
{
    brz_buf_finish(&f->pending);
}
