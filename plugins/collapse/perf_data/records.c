/* SPDX-License-Identifier: MIT */
/* Reads the records of a recording.
 *
 * Records of the kernel are queued by their time; those of perf are read at once. The files of a
 * directory are read in turns, each as far as its times are the oldest.
 */
#include "records.h"

#include "ahead.h"
#include "file/changes.h"
#include "stack/deferred.h"
#include "file/features.h"
#include "report/fold.h"
#include "file/packed.h"
#include "report/switches.h"
#include "file/tracing.h"

/* Kind of an EVENT_UPDATE with a name. */
#define UPDATE_NAME 2

/* Number of blocks of unpacked records from which on the queue is emptied early. */
#define BLOCKS_MAX 512

/* Number of records between two checks whether the run is to stop. */
#define STOP_INTERVAL 1024

/* Number of bytes at the beginning of the pipe layout in which descriptions may come after the
 * records that they describe. Fuzzing sets another one. */
#ifndef DESCRIPTIONS_MAX
#define DESCRIPTIONS_MAX (UINT64_C(1) << 20)
#endif

/* Number of bytes of a file in one turn. */
#define TURN ((ptrdiff_t)1 << 20)

/* Returns whether the run is to stop, which it checks now and then. */
static bool is_stopped(recording *p)
{
    return ++p->ticks % STOP_INTERVAL == 0 && p->ctx->host->stopped(p->ctx);
}

/* ---- records of the kernel ------------------------------------------------------------------ */

static brz_rc apply_sample(recording *p, const record *r)
{
    sample s;
    brz_bytes b = record_body(p, r);
    event *v = events_of_sample(&p->events, b.at, brz_bytes_left(&b), b.order);
    if (v == NULL) {
        p->losses.unknown_event++;
        return BRZ_OK;
    }
    bool has_counts = (v->sample_type & SAMPLE_READ) != 0; /* which are not collected */
    if (!has_counts && ahead_is_on(p))
        return ahead_add(p, r, v);
    if (sample_read(&s, v, b)) {
        brz_rc rc = has_counts ? ahead_drain(p) : BRZ_OK;
        rc = rc == BRZ_OK ? fold_sample(p, v, &s, r->misc) : rc;
        return rc == BRZ_OK && p->off.is_on ? switches_sample(p, v, &s, r->misc) : rc;
    }
    recording_lost(p, "perf-data.sample", r->at, BRZ_STR("a damaged sample: left out"));
    return BRZ_OK;
}

/* Completes samples that were held back. The trailer names the thread. */
static brz_rc apply_deferred(recording *p, const record *r, const event *v, brz_bytes b,
                             brz_bytes trailer)
{
    bool is_damaged = brz_bytes_left(&trailer) == 0 || !(v->sample_type & SAMPLE_TID);
    brz_rc rc = ahead_drain(p);
    if (!is_damaged && rc == BRZ_OK) {
        uint32_t pid = brz_bytes_u32(&trailer), tid = brz_bytes_u32(&trailer);
        thread *of = threads_get(&p->threads, p->ctx, pid, tid);
        rc = deferred_complete(p, of, b, &is_damaged);
    }
    if (is_damaged)
        recording_lost(p, "perf-data.record", r->at, BRZ_STR("a damaged record: left out"));
    return rc;
}

static brz_rc apply_change(recording *p, const record *r)
{
    brz_bytes b = record_body(p, r);
    const event *v = events_of_trailer(&p->events, b.at, brz_bytes_left(&b), b.order);
    if (v == NULL && p->events.n > 0)
        v = &p->events.items[0];
    brz_bytes trailer = b;
    if (v != NULL && v->trailer <= brz_bytes_left(&b))
        trailer.at = b.end -= v->trailer;
    else
        trailer.at = trailer.end;
    if (r->type == RECORD_CALLCHAIN_DEFERRED && v != NULL)
        return apply_deferred(p, r, v, b, trailer);
    if (changes_affect_names(r->type, r->misc, b)) {
        brz_rc rc = ahead_drain(p);
        if (rc != BRZ_OK)
            return rc;
    }
    if (!changes_apply(p, r->type, r->misc, b))
        recording_lost(p, "perf-data.record", r->at, BRZ_STR("a damaged record: left out"));
    return p->off.is_on && v != NULL ? switches_change(p, r->type, r->misc, v, b, trailer) : BRZ_OK;
}

static brz_rc apply(recording *p, const record *r)
{
    if (r->type == RECORD_SAMPLE)
        return apply_sample(p, r);
    if (r->type <= RECORD_KERNEL_LAST && r->type > 0)
        return apply_change(p, r);
    p->losses.unknown_type++;
    return BRZ_OK;
}

/* Implements queue_deliver. */
static brz_rc deliver(void *context, const queued *q)
{
    recording *p = context;
    record r = record_at(p, q->data);
    r.block = q->block;
    if (!p->is_streamed)
        r.at = q->place.at;
    p->delivered = &q->place;
    brz_rc rc = is_stopped(p) ? BRZ_STOP : apply(p, &r);
    p->delivered = NULL;
    if (q->block != NO_BLOCK)
        unpack_release(&p->unpack, p->ctx, q->block);
    return rc;
}

static uint64_t time_of_sample(const recording *p, const brz_bytes *b)
{
    const event *v = events_of_sample(&p->events, b->at, brz_bytes_left(b), b->order);
    if (v == NULL || v->time_at == 0 || v->time_at - 1 + 8 > brz_bytes_left(b))
        return 0;
    return word_u64(b->at + v->time_at - 1, b->order);
}

static uint64_t time_of_change(const recording *p, const brz_bytes *b)
{
    size_t n = brz_bytes_left(b);
    const event *v = events_of_trailer(&p->events, b->at, n, b->order);
    if (v == NULL || v->trailer_time_back == 0 || v->trailer_time_back > n)
        return 0;
    return word_u64(b->at + n - v->trailer_time_back, b->order);
}

/* Delivers records early if too many blocks of unpacked records wait. */
static brz_rc limit_blocks(recording *p)
{
    const unpack *u = &p->unpack;
    if (u->n - u->n_free <= BLOCKS_MAX + p->n_streams)
        return BRZ_OK;
    brz_rc rc = queue_spill(&p->queue, p->ctx, deliver, p);
    if (rc == BRZ_OK && u->n - u->n_free > BLOCKS_MAX + p->n_streams)
        rc = queue_flush(&p->queue, p->ctx, deliver, p);
    if (rc == BRZ_OK && u->n - u->n_free > BLOCKS_MAX + p->n_streams)
        rc = ahead_drain(p);
    return rc;
}

/* Queues a record of the kernel, or applies it at once if it has no time. */
static brz_rc take_kernel_record(recording *p, const record *r)
{
    brz_bytes b = record_body(p, r);
    uint64_t time = r->type == RECORD_SAMPLE ? time_of_sample(p, &b) : time_of_change(p, &b);
    if (time == 0 || time == UINT64_MAX)
        return apply(p, r);
    if (time > p->stream->newest)
        p->stream->newest = time;
    queued *q = queue_next(&p->queue, p->ctx);
    *q = (queued){.time = time, .data = r->data, .block = r->block, .size = r->size};
    q->place = recording_place(p, r->at);
    if (p->is_streamed && r->block == NO_BLOCK)
        q->data = unpack_store(&p->unpack, &p->stored, p->ctx, r->data, r->size, &q->block);
    bool is_in_block = q->block != NO_BLOCK;
    unpack_hold(&p->unpack, q->block);
    brz_rc rc = queue_add(&p->queue, p->ctx, deliver, p);
    return rc == BRZ_OK && is_in_block ? limit_blocks(p) : rc;
}

/* ---- descriptions --------------------------------------------------------------------------- */

/* Takes an event: its attributes, followed by its ids. */
static void take_attr(recording *p, brz_bytes b)
{
    brz_bytes size = b;
    brz_bytes_skip(&size, 4);
    uint64_t n = brz_bytes_u32(&size);
    brz_bytes attr = brz_bytes_part(&b, n == 0 ? ATTR_SIZE_MIN : n);
    uint32_t position = events_add(&p->events, p->ctx, attr);
    if (b.error != NULL || position == BRZ_NO_FRAME) {
        recording_warn(p, "perf-data.event", attr.start,
                       BRZ_STR("the description of an event is damaged"));
        return;
    }
    while (brz_bytes_left(&b) >= 8)
        events_add_id(&p->events, p->ctx, brz_bytes_u64(&b), position);
}

static void take_update(recording *p, brz_bytes b)
{
    uint64_t kind = brz_bytes_u64(&b), id = brz_bytes_u64(&b);
    brz_str name = brz_bytes_padded_text(&b, brz_bytes_left(&b));
    uint32_t position = pair_map_find(&p->events.ids, id, 0);
    if (b.error == NULL && kind == UPDATE_NAME && position != PAIR_MISS)
        events_name(&p->events, p->ctx, position, name);
}

/* Keeps the descriptions of tracepoints, which stand after their record. */
static void take_tracing(recording *p, const record *r, brz_bytes b)
{
    features_read_tracing(p, brz_bytes_of(r->data + r->size, brz_bytes_u32(&b)));
}

/* Reads a record that describes the recording. */
static void visit_description(recording *p, const record *r)
{
    brz_bytes b = record_body(p, r);
    switch (r->type) {
    case RECORD_ATTR:
        take_attr(p, b);
        break;
    case RECORD_EVENT_UPDATE:
        take_update(p, b);
        break;
    case RECORD_TRACING_DATA:
        take_tracing(p, r, b);
        break;
    case RECORD_BUILD_ID:
        features_read_build_id(p, r->misc, b);
        break;
    case RECORD_FEATURE: {
        uint64_t feature = brz_bytes_u64(&b);
        features_read(p, feature, b);
        break;
    }
    default:
        break;
    }
}

/* Returns the offset of a record of the input. */
static uint64_t offset_of(const recording *p, const uint8_t *at)
{
    return p->offset + (uint64_t)(at - p->data);
}

/* Walks the beginning of the input. Returns where it ends. */
static uint64_t walk_beginning(recording *p, void (*look)(recording *, const record *))
{
    record r;
    stream s = p->streams[0];
    p->is_scan = true;
    while (offset_of(p, s.at) < DESCRIPTIONS_MAX && walk_next(p, &s, &r))
        look(p, &r);
    p->is_scan = false;
    return offset_of(p, s.at);
}

static void ignore(recording *p, const record *r)
{
    (void)p;
    (void)r;
}

bool records_scan(recording *p)
{
    if (p->is_open && !p->is_live && walk_beginning(p, ignore) < DESCRIPTIONS_MAX)
        return false;
    p->described = walk_beginning(p, visit_description);
    return true;
}

static bool is_description(uint32_t type)
{
    return type == RECORD_ATTR || type == RECORD_EVENT_UPDATE || type == RECORD_TRACING_DATA ||
           type == RECORD_BUILD_ID || type == RECORD_FEATURE;
}

/* Reads a description that is not at the beginning. It holds from there on, so the samples that
 * were collected are folded first. */
static brz_rc take_late_description(recording *p, const record *r)
{
    bool is_late = p->header.is_pipe && r->block == NO_BLOCK && is_description(r->type) &&
                   offset_of(p, r->at) >= p->described;
    brz_rc rc = is_late ? ahead_drain(p) : BRZ_OK;
    if (!is_late || rc != BRZ_OK)
        return rc;
    visit_description(p, r);
    if (r->type == RECORD_TRACING_DATA)
        tracing_describe_events(p);
    return BRZ_OK;
}

/* ---- records of perf ------------------------------------------------------------------------ */

/* Ends a round. Those of one file of a directory say nothing about the others. */
static brz_rc end_round(recording *p)
{
    return p->n_streams > 1 ? BRZ_OK : queue_end_round(&p->queue, p->ctx, deliver, p);
}

static brz_rc visit(recording *p, const record *r)
{
    if (is_stopped(p))
        return BRZ_STOP;
    if (r->type < RECORD_USER_FIRST)
        return take_kernel_record(p, r);
    switch (r->type) {
    case RECORD_FINISHED_ROUND:
        return end_round(p);
    case RECORD_COMPRESSED:
    case RECORD_COMPRESSED2:
        return packed_take(p, r, visit);
    case RECORD_AUXTRACE:
        p->losses.aux++;
        return BRZ_OK;
    default:
        p->losses.unknown_type += r->type > RECORD_USER_LAST;
        return take_late_description(p, r);
    }
}

/* ---- files ---------------------------------------------------------------------------------- */

/* Returns the file to read next: the one whose newest record is the oldest; NULL at the end. */
static stream *next_stream(const recording *p)
{
    stream *next = NULL;
    for (size_t i = 0; i < p->n_streams; i++) {
        stream *s = &p->streams[i];
        if (s->at < s->end && (next == NULL || s->newest < next->newest))
            next = s;
    }
    return next;
}

/* Ends a file. */
static void end_stream(recording *p, stream *s)
{
    s->at = s->end;
    packed_finish(p, s);
}

/* Reads records of a file: all of an only one that are there. */
static brz_rc read_stream(recording *p, stream *s)
{
    record r;
    brz_rc rc = BRZ_OK;
    const uint8_t *start = s->at;
    p->stream = s;
    while (rc == BRZ_OK && (p->n_streams == 1 || s->at - start < TURN)) {
        if (!walk_next(p, s, &r)) {
            if (!p->is_open)
                end_stream(p, s);
            break;
        }
        rc = visit(p, &r);
    }
    return rc;
}

brz_rc records_read(recording *p)
{
    stream *s;
    brz_rc rc = BRZ_OK;
    if (p->is_streamed)
        rc = read_stream(p, &p->streams[0]);
    while (!p->is_streamed && rc == BRZ_OK && (s = next_stream(p)) != NULL)
        rc = read_stream(p, s);
    if (p->is_open)
        return rc;
    if (rc == BRZ_OK)
        rc = queue_flush(&p->queue, p->ctx, deliver, p);
    if (rc == BRZ_OK)
        rc = ahead_drain(p);
    return rc == BRZ_OK ? deferred_finish(p) : rc;
}
