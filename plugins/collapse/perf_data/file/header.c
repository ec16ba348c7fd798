/* SPDX-License-Identifier: MIT */
/* The header of a recording.
 *
 *     file := magic size attr-size attrs:section data:section event-types:section features
 *     pipe := magic 16
 *
 * Sections of the features follow the data, in the order of their bits.
 */
#include "header.h"

#define HEADER_SIZE 104
#define PIPE_SIZE   16

/* The bit of the host's name, which every recording with features has. */
#define FEATURE_HOSTNAME 3

static bool reject(brz_ctx *ctx, const void *at, const char *why)
{
    brz_report(ctx, BRZ_FATAL, "perf-data.header", at, 0, brz_str_of_text(why));
    return false;
}

/* ---- magic number --------------------------------------------------------------------------- */

static bool is(const uint8_t *data, const char *magic)
{
    return memcmp(data, magic, 8) == 0;
}

int32_t header_sniff(const brz_head *head)
{
    if (head->len < 8)
        return BRZ_SNIFF_NO;
    bool known = is(head->data, "PERFILE2") || is(head->data, "2ELIFREP") ||
                 is(head->data, "PERFFILE") || is(head->data, "ELIFFREP");
    return known ? BRZ_SNIFF_MAGIC : BRZ_SNIFF_NO;
}

bool header_is_pipe(const uint8_t *data, size_t len)
{
    if (len < PIPE_SIZE || (!is(data, "PERFILE2") && !is(data, "2ELIFREP")))
        return false;
    uint32_t order = is(data, "2ELIFREP") ? BRZ_BIG_ENDIAN : BRZ_LITTLE_ENDIAN;
    return word_u64(data + 8, order) == PIPE_SIZE;
}

/* Finds the byte order. Returns false for an unknown magic number and for the first version of the
 * format. */
static bool read_magic(header *h, brz_ctx *ctx, const uint8_t *data, size_t len)
{
    if (len < PIPE_SIZE)
        return reject(ctx, data, "not a recording of perf: shorter than its header");
    if (is(data, "PERFFILE") || is(data, "ELIFFREP"))
        return reject(ctx, data,
                      "a recording in the first version of the format, of a perf before Linux 3.0: "
                      "`perf script` of that time reads it");
    if (!is(data, "PERFILE2") && !is(data, "2ELIFREP"))
        return reject(ctx, data, "not a recording of perf: it does not begin with PERFILE2");
    h->order = is(data, "2ELIFREP") ? BRZ_BIG_ENDIAN : BRZ_LITTLE_ENDIAN;
    return true;
}

/* ---- features ------------------------------------------------------------------------------- */

/* Takes the bits of the features. They are an array of the machine's words: of 32 bits where the
 * name of the host is not found otherwise. */
static void take_features(header *h, brz_bytes *b)
{
    for (size_t i = 0; i < 4; i++)
        h->features[i] = brz_bytes_u64(b);
    if (h->order == BRZ_LITTLE_ENDIAN || header_has(h, FEATURE_HOSTNAME))
        return;
    for (size_t i = 0; i < 4; i++)
        h->features[i] = h->features[i] << 32 | h->features[i] >> 32;
}

bool header_feature(const header *h, const uint8_t *data, size_t len, size_t n, section *s)
{
    brz_bytes b = brz_bytes_of(data, len);
    b.order = h->order;
    brz_bytes_seek(&b, h->data.offset + h->data.size);
    brz_bytes_skip(&b, 16 * (uint64_t)n);
    s->offset = brz_bytes_u64(&b);
    s->size = brz_bytes_u64(&b);
    return b.error == NULL && s->offset <= len && s->size <= len - s->offset;
}

/* ---- events --------------------------------------------------------------------------------- */

/* Maps the ids in a section to an event. `room` is the number of ids that the input has room for.
 */
static bool take_ids(events *e, brz_ctx *ctx, brz_bytes *b, uint32_t position, uint64_t *room)
{
    section s = {brz_bytes_u64(b), brz_bytes_u64(b)};
    if (position == BRZ_NO_FRAME || s.size / 8 > *room)
        return false;
    *room -= s.size / 8;
    brz_bytes ids = brz_bytes_of(b->start, (size_t)(b->end - b->start));
    ids.order = b->order;
    brz_bytes_seek(&ids, s.offset);
    ids = brz_bytes_part(&ids, s.size);
    while (brz_bytes_left(&ids) >= 8)
        events_add_id(e, ctx, brz_bytes_u64(&ids), position);
    return b->error == NULL && ids.error == NULL;
}

/* Reads the attributes and ids of all events. `entry` is the size of an event with its section of
 * ids. */
static bool take_events(events *e, brz_ctx *ctx, brz_bytes *b, section s, uint64_t entry)
{
    brz_bytes_seek(b, s.offset);
    uint64_t n = entry < ATTR_SIZE_MIN + 16 ? 0 : s.size / entry;
    if (b->error != NULL || n == 0)
        return reject(ctx, b->start, "the recording has no events, or its header is damaged");
    uint64_t room = (uint64_t)(b->end - b->start) / 8;
    for (uint64_t i = 0; i < n; i++) {
        const uint8_t *at = b->at;
        brz_bytes attr = brz_bytes_part(b, entry - 16);
        uint32_t position = events_add(e, ctx, attr);
        if (!take_ids(e, ctx, b, position, &room)) {
            BRZ_WARN(ctx, "perf-data.event", at, 0, "the description of an event is damaged");
            return e->n > 0 || reject(ctx, at, "the recording has no event that can be read");
        }
    }
    return true;
}

/* ---- layouts -------------------------------------------------------------------------------- */

/* Limits the data to the input. A size of 0 means that the recorder did not end properly. */
static bool check_data(header *h, brz_ctx *ctx, const uint8_t *data, size_t len)
{
    if (h->data.offset > len)
        return reject(ctx, data, "the header is damaged: the records begin past the end");
    uint64_t left = len - h->data.offset;
    h->is_cut = h->data.size == 0 || h->data.size > left;
    if (h->data.size == 0)
        BRZ_WARN(ctx, "perf-data.unfinished", data + 48, 8,
                 "the recorder did not end properly: names of machine and events are missing");
    else if (h->is_cut)
        BRZ_WARN(ctx, "perf-data.cut", data + len, 0,
                 "the input ends within the records: the rest is missing");
    if (h->is_cut)
        h->data.size = left;
    return true;
}

static bool read_file_layout(header *h, brz_ctx *ctx, events *e, brz_bytes *b, size_t len)
{
    brz_bytes_skip(b, 16);
    uint64_t entry = brz_bytes_u64(b);
    section attrs = {brz_bytes_u64(b), brz_bytes_u64(b)};
    h->data = (section){brz_bytes_u64(b), brz_bytes_u64(b)};
    brz_bytes_skip(b, 16);
    take_features(h, b);
    if (b->error != NULL)
        return reject(ctx, b->start, "the input ends within the header");
    return take_events(e, ctx, b, attrs, entry) && check_data(h, ctx, b->start, len);
}

bool header_read(header *h, brz_ctx *ctx, events *e, const uint8_t *data, size_t len)
{
    memset(h, 0, sizeof *h);
    if (!read_magic(h, ctx, data, len))
        return false;
    brz_bytes b = brz_bytes_of(data, len);
    b.order = h->order;
    uint64_t size = word_u64(data + 8, h->order);
    h->is_pipe = size == PIPE_SIZE;
    h->data = (section){PIPE_SIZE, len - PIPE_SIZE};
    if (!h->is_pipe && size < HEADER_SIZE)
        return reject(ctx, data + 8, "the header has an unknown size");
    return h->is_pipe || read_file_layout(h, ctx, e, &b, len);
}
