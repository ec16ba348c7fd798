/* SPDX-License-Identifier: MIT */
/* Finds the chunks of a recording and their parts. */
#include "chunk.h"

#define HEADER_SIZE 68
#define MAGIC       "FLR"
#define MAGIC_SIZE  4 /* with the zero byte */
#define PACKED      1u

/* The fields that may be read for each byte of a chunk. */
#define STEPS_PER_BYTE 16

#define NS_PER_S UINT64_C(1000000000)

/* ---- time ---------------------------------------------------------------------------------- */

static int64_t multiply(uint64_t a, uint64_t b)
{
    int64_t product;
    return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

static int64_t add(int64_t a, int64_t b)
{
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static int64_t ticks_to_ns(uint64_t ticks, uint64_t frequency)
{
    uint64_t rest = ticks % frequency, ns;
    if (frequency == NS_PER_S)
        return ticks <= INT64_MAX ? (int64_t)ticks : INT64_MAX;
    if (__builtin_mul_overflow(rest, NS_PER_S, &ns))
        ns = (uint64_t)((double)rest / (double)frequency * 1e9);
    else
        ns /= frequency;
    return add(multiply(ticks / frequency, NS_PER_S), (int64_t)ns);
}

int64_t chunk_time(const chunk *c, uint64_t ticks)
{
    if (ticks >= c->start_ticks)
        return add(c->start_ns, ticks_to_ns(ticks - c->start_ticks, c->frequency));
    int64_t before = ticks_to_ns(c->start_ticks - ticks, c->frequency);
    return before <= c->start_ns ? c->start_ns - before : -1; /* -1: no time */
}

int64_t chunk_span(const chunk *c, uint64_t value, span_unit unit)
{
    if (value > INT64_MAX)
        return 0; /* such as the minimum, which stands for an unknown span */
    switch (unit) {
    case SPAN_NS:
        return (int64_t)value;
    case SPAN_US:
        return multiply(value, 1000);
    case SPAN_MS:
        return multiply(value, 1000000);
    case SPAN_S:
        return multiply(value, NS_PER_S);
    default:
        return ticks_to_ns(value, c->frequency);
    }
}

/* ---- events -------------------------------------------------------------------------------- */

/* Takes the size and type of an event, and its payload. The cursor fails if the size is wrong. */
static brz_bytes take_event(const reader *r, brz_bytes *events, uint64_t *type)
{
    const uint8_t *start = events->at;
    brz_bytes head = *events;
    uint64_t size = reader_int(r, &head, INT_SIZE);
    *type = reader_int(r, &head, LONG_SIZE);
    uint64_t used = (uint64_t)(head.at - start);
    if (head.error != NULL || size < used) {
        brz_bytes_fail_at(events, start, "an event of an impossible size");
        return *events;
    }
    brz_bytes whole = brz_bytes_part(events, size);
    brz_bytes_skip(&whole, used);
    return whole;
}

bool chunk_next_event(const chunk *c, brz_bytes *events, uint64_t *type, brz_bytes *payload)
{
    if (brz_bytes_left(events) == 0)
        return false;
    *payload = take_event(&c->reader, events, type);
    return events->error == NULL;
}

static void add_checkpoint(chunk *c, const brz_bytes *payload)
{
    c->checkpoints = brz_list_room(c->reader.ctx, c->checkpoints, c->n_checkpoints,
                                   &c->checkpoints_cap, sizeof *c->checkpoints);
    c->checkpoints[c->n_checkpoints++] =
        (extent){brz_bytes_offset(payload), (size_t)(payload->end - payload->start)};
}

/* Takes the payload of the event at an offset, if it is of a type. */
static bool event_at(const chunk *c, uint64_t offset, uint64_t wanted, brz_bytes *payload)
{
    brz_bytes b = c->bytes;
    uint64_t type = 0;
    if (offset < HEADER_SIZE)
        return false;
    brz_bytes_seek(&b, offset);
    *payload = take_event(&c->reader, &b, &type);
    return b.error == NULL && type == wanted;
}

/* Follows the checkpoints from the last one, each of which has the distance to the one before,
 * down to the offset `least`. They must not overlap. */
static void follow_checkpoints(chunk *c, size_t least)
{
    uint64_t offset = c->constants_offset, limit = c->len;
    size_t first = c->n_checkpoints;
    brz_bytes payload;
    while (offset >= least && event_at(c, offset, CHECKPOINT_EVENT, &payload) &&
           (size_t)(payload.end - payload.start) <= limit) {
        brz_bytes b = payload;
        add_checkpoint(c, &payload);
        limit = offset;
        reader_int(&c->reader, &b, LONG_SIZE); /* start */
        reader_int(&c->reader, &b, LONG_SIZE); /* duration */
        offset += reader_int(&c->reader, &b, LONG_SIZE);
        if (b.error != NULL || offset >= limit)
            break;
    }
    for (size_t i = first, k = c->n_checkpoints; i + 1 < k; i++) {
        extent last = c->checkpoints[--k]; /* into the order of the chunk */
        c->checkpoints[k] = c->checkpoints[i];
        c->checkpoints[i] = last;
    }
}

/* Finds metadata and checkpoints: one event after the other, and after damage as the header says.
 * Returns the cursor with the damage. */
static brz_bytes find_parts(chunk *c)
{
    brz_bytes events = c->bytes, payload;
    uint64_t type;
    c->n_checkpoints = 0;
    c->n_events = 0;
    c->has_metadata = false;
    while (chunk_next_event(c, &events, &type, &payload)) {
        if (type == CHECKPOINT_EVENT)
            add_checkpoint(c, &payload);
        c->n_events += type != CHECKPOINT_EVENT && type != METADATA_EVENT;
        if (type == METADATA_EVENT) {
            c->metadata = payload;
            c->has_metadata = true;
        }
    }
    if (events.error == NULL)
        return events;
    follow_checkpoints(c, brz_bytes_error_offset(&events));
    if (!c->has_metadata)
        c->has_metadata = event_at(c, c->metadata_offset, METADATA_EVENT, &c->metadata);
    return events;
}

/* ---- headers ------------------------------------------------------------------------------- */

/* Returns where the next chunk begins at `from` or after it, or the end. */
static const uint8_t *find_magic(const uint8_t *from, const uint8_t *end)
{
    while (end - from >= MAGIC_SIZE) {
        from = memchr(from, MAGIC[0], (size_t)(end - from));
        if (from == NULL || end - from < MAGIC_SIZE)
            return end;
        if (memcmp(from, MAGIC, MAGIC_SIZE) == 0)
            return from;
        from++;
    }
    return end;
}

/* Reports damage that leaves out `records` events. */
static void report_lost(const chunks *s, const char *code, const uint8_t *at, brz_str msg,
                        uint64_t records)
{
    brz_diag d = brz_diag_of(BRZ_WARNING, code, at, 0, msg);
    d.records = records;
    if (s->reports)
        s->ctx->host->diag(s->ctx, &d);
}

static void report_damage(const chunks *s, const char *code, const uint8_t *at, brz_str msg)
{
    report_lost(s, code, at, msg, 0);
}

/* Returns the size of a chunk, which its header has at the end of a recording only. */
static size_t chunk_size(const chunks *s, uint64_t size)
{
    size_t left = (size_t)(s->end - s->at);
    if (size >= HEADER_SIZE && size <= left)
        return (size_t)size;
    size_t found = (size_t)(find_magic(s->at + MAGIC_SIZE, s->end) - s->at);
    if (size == 0 || size > INT64_MAX)
        report_damage(s, "jfr.unfinished", s->at,
                      BRZ_STR("a chunk that was not finished: it is read up to its last event"));
    else
        report_damage(s, "jfr.cut", s->at,
                      BRZ_STR("a chunk whose size is wrong, as of a truncated file: it is read up "
                              "to its last event"));
    return found;
}

/* Reads the header after magic and version. */
static void read_header(const chunks *s, chunk *c, brz_bytes *b)
{
    c->start = s->at;
    c->len = chunk_size(s, brz_bytes_u64(b));
    c->constants_offset = brz_bytes_u64(b);
    c->metadata_offset = brz_bytes_u64(b);
    c->start_ns = brz_bytes_i64(b);
    c->duration_ns = brz_bytes_i64(b);
    c->start_ticks = brz_bytes_u64(b);
    c->frequency = brz_bytes_u64(b);
    c->reader.packed = (brz_bytes_u32(b) & PACKED) != 0;
    if (c->frequency == 0 || c->frequency > INT64_MAX)
        c->frequency = NS_PER_S;
    c->reader.texts.len = 0;
    c->bytes = brz_bytes_of(c->start, c->len);
    c->bytes.order = BRZ_BIG_ENDIAN;
    brz_bytes_skip(&c->bytes, HEADER_SIZE);
    c->steps += STEPS_PER_BYTE * (uint64_t)c->len;
}

static brz_rc refuse(const chunks *s, brz_str why)
{
    brz_report(s->ctx, BRZ_FATAL, "jfr.version", s->at, 0, why);
    return BRZ_ERROR;
}

/* Checks the version, at the first chunk with a failure of the run. */
static brz_rc check_version(const chunks *s, uint32_t major, bool *good)
{
    *good = major == 2;
    if (*good)
        return BRZ_OK;
    if (s->any) {
        report_damage(s, "jfr.other-version", s->at,
                      BRZ_STR("a chunk of another version than the first one: left out"));
        return BRZ_OK;
    }
    if (major == 0)
        return refuse(s, BRZ_STR("a recording of Oracle's JDK 7 or 8, whose layout (version 0.9) "
                                 "differs: record with OpenJDK 8u262, 11 or later"));
    if (major == 1)
        return refuse(s, BRZ_STR("a recording of JDK 9 or 10, whose layout (version 1.0) differs: "
                                 "record with JDK 11 or later"));
    return refuse(s, BRZ_STR("a recording of an unknown version: only version 2 can be read"));
}

/* Moves to the next header, over damage. Returns false at the end. */
static bool find_header(chunks *s)
{
    const uint8_t *next = find_magic(s->at, s->end);
    bool found = s->end - next >= HEADER_SIZE;
    if (!found && !s->any)
        return false; /* no recording */
    if (next != s->at)
        report_damage(s, "jfr.no-chunk", s->at,
                      BRZ_STR("no chunk begins here: the bytes up to the next one are left out"));
    s->at = next;
    if (!found && next != s->end)
        report_damage(s, "jfr.cut", next, BRZ_STR("the input ends within the header of a chunk"));
    return found;
}

/* Reads a chunk up to its types. Returns whether it can be used. */
static bool read_chunk(const chunks *s, chunk *c)
{
    brz_bytes damage = find_parts(c);
    if (damage.error != NULL)
        report_lost(s, "jfr.event", damage.error_at,
                    BRZ_STR("no event begins here: the rest of the chunk is left out"), 1);
    if (!c->has_metadata) {
        report_lost(s, "jfr.metadata", c->start, BRZ_STR("a chunk without metadata: left out"),
                    c->n_events);
        return false;
    }
    if (types_read(&c->types, &c->reader, &c->metadata))
        return true;
    report_lost(s, "jfr.metadata", c->metadata.error_at,
                BRZ_STR("the metadata of the chunk is damaged: the chunk is left out"),
                c->n_events);
    return false;
}

brz_rc chunks_next(chunks *s, chunk *c, bool *found)
{
    *found = false;
    while (s->at < s->end && find_header(s)) {
        brz_bytes b = brz_bytes_of(s->at, HEADER_SIZE);
        bool good;
        b.order = BRZ_BIG_ENDIAN;
        brz_bytes_skip(&b, MAGIC_SIZE);
        uint32_t major = brz_bytes_u16(&b);
        brz_bytes_skip(&b, 2);
        brz_rc rc = check_version(s, major, &good);
        if (rc != BRZ_OK)
            return rc;
        read_header(s, c, &b);
        s->any = true;
        s->at += c->len;
        if (good && read_chunk(s, c)) {
            *found = true;
            return BRZ_OK;
        }
    }
    return s->any ? BRZ_OK : refuse(s, BRZ_STR("not a recording: no chunk begins in it"));
}
