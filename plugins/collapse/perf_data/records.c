/* Walks the records of a recording.
 *
 *     record := type:u32 misc:u16 size:u16 body
 *
 * Records of the kernel are queued by their time; those of perf are read at once. Some of perf's
 * are followed by data that `size` does not include.
 */
#include "records.h"

#include "changes.h"
#include "features.h"
#include "fold.h"
#include "switches.h"

/* Types of records that perf writes. */
enum {
    RECORD_USER_FIRST = 64,
    RECORD_ATTR = 64,
    RECORD_TRACING_DATA = 66,
    RECORD_BUILD_ID = 67,
    RECORD_FINISHED_ROUND = 68,
    RECORD_AUXTRACE = 71,
    RECORD_EVENT_UPDATE = 78,
    RECORD_FEATURE = 80,
    RECORD_COMPRESSED = 81,
    RECORD_COMPRESSED2 = 83,
    RECORD_USER_LAST = 90,
};

#define HEADER_SIZE 8

/* Maximum number of records of unknown types in a row. */
#define UNKNOWN_MAX 16

/* Distance of places at which records may begin: a few types have sizes of 4 times an odd number.
 */
#define STEP 4

/* Kind of an EVENT_UPDATE with a name. */
#define UPDATE_NAME 2

/* Number of blocks of unpacked records from which on the queue is emptied early. */
#define BLOCKS_MAX 512

/* Number of records between two looks at whether the run is to stop. */
#define STOP_INTERVAL 4096

typedef struct record {
    uint32_t type, size;
    uint16_t misc;
    uint32_t block;      /* memory of the record: see unpack.h */
    const uint8_t *data; /* with the header */
    const uint8_t *at;   /* place in the input */
} record;

/* Handles a record. */
typedef brz_rc visitor(recording *p, const record *r);

static record header_of(const recording *p, const uint8_t *data)
{
    uint32_t order = p->header.order;
    record r = {.type = word_u32(data, order), .block = NO_BLOCK, .data = data, .at = data};
    r.misc = brz_load_u16(data + 4, order);
    r.size = brz_load_u16(data + 6, order);
    return r;
}

static brz_bytes body_of(const recording *p, const record *r)
{
    brz_bytes b = brz_bytes_of(r->data + HEADER_SIZE, r->size - HEADER_SIZE);
    b.order = p->header.order;
    return b;
}

/* ---- damage -----------------------------------------------------------------------------------
 */

static bool is_known(const record *r)
{
    return (r->type > 0 && r->type <= RECORD_KERNEL_LAST) ||
           (r->type >= RECORD_USER_FIRST && r->type <= RECORD_USER_LAST);
}

/* Returns whether a record has a size that perf writes: for most types, a multiple of 8. */
static bool has_usual_size(const record *r)
{
    return r->size >= HEADER_SIZE && (r->size % 8 == 0 || r->type == RECORD_COMPRESSED ||
                                      r->type == RECORD_FEATURE || r->type == RECORD_TRACING_DATA);
}

static bool is_plausible(const recording *p, const uint8_t *at, const uint8_t *end)
{
    if ((size_t)(end - at) < HEADER_SIZE)
        return false;
    record r = header_of(p, at);
    return is_known(&r) && has_usual_size(&r) && r.size <= (size_t)(end - at);
}

/* Returns whether a record of a known type or the end follows after a few of unknown types. */
static bool leads_to_record(const recording *p, const uint8_t *at, const uint8_t *end)
{
    for (size_t i = 0; i < UNKNOWN_MAX && at != end; i++) {
        if ((size_t)(end - at) < HEADER_SIZE || is_plausible(p, at, end))
            return (size_t)(end - at) >= HEADER_SIZE;
        record r = header_of(p, at);
        if (r.size < HEADER_SIZE || r.size > (size_t)(end - at))
            return false;
        at += r.size;
    }
    return at == end;
}

/* Returns whether the header of a record is damaged. */
static bool is_damaged(const recording *p, const record *r, const uint8_t *end)
{
    if (r->size < HEADER_SIZE || (r->type < RECORD_USER_FIRST && r->size % 8 != 0))
        return true;
    return !(is_known(r) && has_usual_size(r)) && !leads_to_record(p, r->data, end);
}

/* Returns the next place at which a record and, unless the data ends there, another one begin; or
 * the end. */
static const uint8_t *find_record(const recording *p, const uint8_t *at, const uint8_t *end)
{
    for (; (size_t)(end - at) >= HEADER_SIZE; at += STEP) {
        if (!is_plausible(p, at, end))
            continue;
        const uint8_t *next = at + header_of(p, at).size;
        if (next == end || is_plausible(p, next, end))
            return at;
    }
    return end;
}

/* Reports a damaged header and returns where to go on. Zeros up to the end are what a full disk
 * leaves behind. */
static const uint8_t *skip_damage(recording *p, const uint8_t *at, const uint8_t *end)
{
    const uint8_t *next = (size_t)(end - at) < 16 ? end : find_record(p, at + 8, end);
    if (p->is_scan)
        return next;
    recording_lost(p, "perf-data.record", at,
                   next < end ? BRZ_STR("a damaged record: the bytes up to the next one are "
                                        "left out")
                              : BRZ_STR("a damaged record: the rest is left out"));
    return next;
}

/* ---- walking ----------------------------------------------------------------------------------
 */

/* Returns the size of the data behind a record, which its size does not include. */
static uint64_t size_behind(const recording *p, const record *r)
{
    brz_bytes b = body_of(p, r);
    if (r->type == RECORD_AUXTRACE)
        return brz_bytes_u64(&b);
    if (r->type == RECORD_TRACING_DATA && p->header.is_pipe)
        return ((uint64_t)brz_bytes_u32(&b) + 7) / 8 * 8;
    return 0;
}

/* Returns the data behind a record, which lies within the input. */
static brz_bytes behind(const recording *p, const record *r)
{
    return brz_bytes_of(r->data + r->size, (size_t)size_behind(p, r));
}

/* Returns whether a record and the data behind it end in the input. */
static bool is_complete(const recording *p, const record *r, const uint8_t *end)
{
    uint64_t left = (uint64_t)(end - r->data);
    return r->size <= left && size_behind(p, r) <= left - r->size;
}

/* Reports a record that extends beyond the input and returns where to go on. The end of a cut
 * recording has been reported. */
static const uint8_t *skip_incomplete(recording *p, const record *r, const uint8_t *end)
{
    const uint8_t *next = find_record(p, r->data + 8, end);
    if (next < end)
        return skip_damage(p, r->data, end);
    if (!p->is_scan && (!p->header.is_cut || r->type == RECORD_AUXTRACE))
        recording_lost(p, "perf-data.cut", r->data,
                       BRZ_STR("the input ends within a record: left out"));
    return end;
}

static brz_rc walk(recording *p, visitor *visit)
{
    const uint8_t *at = p->data + p->header.data.offset, *end = at + p->header.data.size;
    brz_rc rc = BRZ_OK;
    for (size_t i = 1; rc == BRZ_OK && (size_t)(end - at) >= HEADER_SIZE; i++) {
        record r = header_of(p, at);
        if (is_damaged(p, &r, end)) {
            at = skip_damage(p, at, end);
            continue;
        }
        if (!is_complete(p, &r, end)) {
            at = skip_incomplete(p, &r, end);
            continue;
        }
        rc = visit(p, &r);
        at += r.size + size_behind(p, &r);
        if (i % STOP_INTERVAL == 0 && p->ctx->host->stopped(p->ctx))
            return BRZ_STOP;
    }
    return rc;
}

/* ---- records of the kernel --------------------------------------------------------------------
 */

static brz_rc apply_sample(recording *p, const record *r)
{
    sample s;
    brz_bytes b = body_of(p, r);
    event *v = events_of_sample(&p->events, b.at, brz_bytes_left(&b), b.order);
    if (v == NULL) {
        p->losses.unknown_event++;
        return BRZ_OK;
    }
    if (sample_read(&s, v, b)) {
        brz_rc rc = fold_sample(p, v, &s, r->misc);
        return rc == BRZ_OK && p->off.is_on ? switches_sample(p, v, &s, r->misc) : rc;
    }
    recording_lost(p, "perf-data.sample", r->at, BRZ_STR("a damaged sample: left out"));
    return BRZ_OK;
}

static brz_rc apply_change(recording *p, const record *r)
{
    brz_bytes b = body_of(p, r);
    const event *v = events_of_trailer(&p->events, b.at, brz_bytes_left(&b), b.order);
    if (v == NULL && p->events.n > 0)
        v = &p->events.items[0];
    brz_bytes trailer = b;
    if (v != NULL && v->trailer <= brz_bytes_left(&b))
        trailer.at = b.end -= v->trailer;
    else
        trailer.at = trailer.end;
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
    record r = header_of(p, q->data);
    r.at = q->at;
    brz_rc rc = apply(p, &r);
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

/* Queues a record of the kernel, or applies it at once if it has no time. */
static brz_rc take_kernel_record(recording *p, const record *r)
{
    brz_bytes b = body_of(p, r);
    uint64_t time = r->type == RECORD_SAMPLE ? time_of_sample(p, &b) : time_of_change(p, &b);
    if (time == 0 || time == UINT64_MAX)
        return apply(p, r);
    unpack_hold(&p->unpack, r->block);
    queued q = {.time = time, .data = r->data, .at = r->at, .block = r->block};
    return queue_add(&p->queue, p->ctx, q, deliver, p);
}

/* ---- compressed records -----------------------------------------------------------------------
 */

/* The record that is being unpacked, and what became of it. */
typedef struct unpacking {
    recording *p;
    const record *from;
    brz_rc rc;
} unpacking;

static brz_rc visit(recording *p, const record *r);

/* Implements unpack_take. */
static size_t take_unpacked(void *context, uint32_t block, const uint8_t *data, size_t len,
                            bool *broken)
{
    unpacking *u = context;
    recording *p = u->p;
    size_t at = 0;
    while (u->rc == BRZ_OK && len - at >= HEADER_SIZE) {
        record r = header_of(p, data + at);
        r.block = block;
        r.at = u->from->at;
        *broken = r.size < HEADER_SIZE;
        if (*broken || r.size > len - at)
            break;
        bool nested = r.type == RECORD_COMPRESSED || r.type == RECORD_COMPRESSED2;
        p->losses.unknown_type += nested;
        u->rc = nested ? BRZ_OK : visit(p, &r);
        at += r.size;
    }
    if (p->unpack.n - p->unpack.n_free > BLOCKS_MAX && u->rc == BRZ_OK) {
        p->queue.full = true;
        u->rc = queue_flush(&p->queue, p->ctx, deliver, p);
    }
    *broken |= u->rc != BRZ_OK;
    return at;
}

/* Returns the compressed bytes of a record. Some versions of perf write a size of the data that
 * does not agree with the size of the record: then the record counts. */
static brz_bytes packed_bytes(const recording *p, const record *r)
{
    brz_bytes b = body_of(p, r);
    if (r->type == RECORD_COMPRESSED)
        return b;
    uint64_t size = brz_bytes_u64(&b);
    if (size < brz_bytes_left(&b))
        b.end = b.at + size;
    return b;
}

static brz_rc take_compressed(recording *p, const record *r)
{
    unpacking u = {p, r, BRZ_OK};
    brz_bytes b = packed_bytes(p, r);
    if (p->unpack.failed)
        return BRZ_OK;
    bool good = unpack_feed(&p->unpack, p->ctx, b.at, brz_bytes_left(&b), take_unpacked, &u);
    if (!good && u.rc == BRZ_OK)
        recording_lost(p, "perf-data.zstd", r->at,
                       BRZ_STR("the compressed records are damaged: the rest of them is left "
                               "out"));
    return u.rc;
}

/* ---- records of perf --------------------------------------------------------------------------
 */

static brz_rc visit(recording *p, const record *r)
{
    if (r->type < RECORD_USER_FIRST)
        return take_kernel_record(p, r);
    switch (r->type) {
    case RECORD_FINISHED_ROUND:
        return queue_end_round(&p->queue, p->ctx, deliver, p);
    case RECORD_COMPRESSED:
    case RECORD_COMPRESSED2:
        return take_compressed(p, r);
    case RECORD_AUXTRACE:
        p->losses.aux++;
        return BRZ_OK;
    default:
        p->losses.unknown_type += r->type > RECORD_USER_LAST;
        return BRZ_OK;
    }
}

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

/* Reads a record that describes the recording. */
static brz_rc visit_description(recording *p, const record *r)
{
    brz_bytes b = body_of(p, r);
    switch (r->type) {
    case RECORD_ATTR:
        take_attr(p, b);
        break;
    case RECORD_EVENT_UPDATE:
        take_update(p, b);
        break;
    case RECORD_BUILD_ID:
        features_read_build_id(p, r->misc, b);
        break;
    case RECORD_TRACING_DATA:
        switches_describe(p, behind(p, r));
        break;
    case RECORD_FEATURE: {
        uint64_t feature = brz_bytes_u64(&b);
        features_read(p, feature, b);
        break;
    }
    default:
        break;
    }
    return BRZ_OK;
}

void records_scan(recording *p)
{
    p->is_scan = true;
    walk(p, visit_description);
    p->is_scan = false;
}

brz_rc records_read(recording *p)
{
    brz_rc rc = walk(p, visit);
    return rc == BRZ_OK ? queue_flush(&p->queue, p->ctx, deliver, p) : rc;
}
