/* SPDX-License-Identifier: MIT */
/* Walks through the objects of a trace, and through the events and stacks in its blocks. */
#include "blocks.h"

#include <brazier/symbol.h>

#include "../../common/quick_fields.h"

enum { TAG_NULL = 1, TAG_BEGIN = 5, TAG_END = 6 };

#define TRACE_SIZE 48 /* bytes in an object "Trace" */
#define HEADLINE   "Nettrace\x14\0\0\0!FastSerialization.1"
#define LONGEST    64 /* of a name of a type */
#define GUID_SIZE  16u

/* ---- objects --------------------------------------------------------------------------------- */

void blocks_start(brz_bytes *b)
{
    brz_bytes line = brz_bytes_part(b, sizeof HEADLINE - 1);
    if (b->error == NULL && memcmp(line.at, HEADLINE, sizeof HEADLINE - 1) != 0)
        brz_bytes_fail_at(b, line.at, "not a trace of .NET in its versions 4 and 5");
}

/* Takes a tag. Makes the cursor fail for another one. */
static void take_tag(brz_bytes *b, uint8_t tag)
{
    const uint8_t *at = b->at;
    if (brz_bytes_u8(b) != tag)
        brz_bytes_fail_at(b, at, "an object does not begin or end here as it should");
}

static block_kind kind_of(brz_str name)
{
    static const char *const names[] = {
        [BLOCK_TRACE] = "Trace",       [BLOCK_METADATA] = "MetadataBlock",
        [BLOCK_EVENTS] = "EventBlock", [BLOCK_STACKS] = "StackBlock",
        [BLOCK_SEQUENCE] = "SPBlock",
    };
    return (block_kind)brz_str_index(name, names, BLOCK_OTHER);
}

/* Takes the type of an object after the tag of its beginning. */
static block_kind take_type(brz_bytes *b)
{
    take_tag(b, TAG_BEGIN);
    take_tag(b, TAG_NULL);
    brz_bytes_u64(b); /* versions */
    uint32_t length = brz_bytes_u32(b);
    if (length > LONGEST)
        brz_bytes_fail(b, "an implausibly long name of a type");
    brz_bytes name = brz_bytes_part(b, length);
    take_tag(b, TAG_END);
    return kind_of(brz_str_of((const char *)name.at, brz_bytes_left(&name)));
}

/* Takes the content of a block. One that is cut off has what is there. */
static void take_block(brz_bytes *b, block *to)
{
    uint32_t length = brz_bytes_u32(b);
    while (b->error == NULL && brz_bytes_offset(b) % 4 != 0)
        brz_bytes_u8(b);
    to->bytes = *b;
    if (length <= brz_bytes_left(b))
        to->bytes = brz_bytes_part(b, length);
    else
        brz_bytes_cut(b);
}

bool blocks_next(brz_bytes *b, block *to)
{
    if (b->error != NULL)
        return false;
    const uint8_t *at = b->at;
    uint8_t tag = brz_bytes_u8(b);
    if (tag == TAG_NULL || b->error != NULL)
        return false;
    if (tag != TAG_BEGIN) {
        brz_bytes_fail_at(b, at, "no object begins here");
        return false;
    }
    to->kind = take_type(b);
    if (b->error != NULL)
        return false;
    if (to->kind == BLOCK_TRACE)
        to->bytes = brz_bytes_part(b, TRACE_SIZE);
    else
        take_block(b, to);
    if (b->error == NULL)
        take_tag(b, TAG_END);
    return true;
}

/* ---- events ---------------------------------------------------------------------------------- */

void events_start(events *e, const block *b)
{
    memset(e, 0, sizeof *e);
    e->bytes = b->bytes;
    brz_bytes header = e->bytes;
    uint16_t size = brz_bytes_u16(&header);
    e->is_compressed = (brz_bytes_u16(&header) & 1) != 0;
    brz_bytes_part(&e->bytes, size);
    if (size < 4)
        brz_bytes_fail(&e->bytes, "a block of events without a header");
}

/* Flags of a compressed event: the members that differ from those of the event before. */
enum {
    HAS_METADATA = 1,
    HAS_WRITER = 2,
    HAS_THREAD = 4,
    HAS_STACK = 8,
    HAS_ACTIVITY = 16,
    HAS_RELATED = 32,
    HAS_SIZE = 128,
};

/* A varint, and the place after it. */
typedef struct number {
    const uint8_t *next;
    uint64_t value;
} number;

/* Takes a varint that is damaged or long. */
static number take_unusual(brz_bytes *b, const uint8_t *at)
{
    b->at = at;
    uint64_t value = brz_bytes_varint(b);
    return (number){b->at, value};
}

/* Takes the varint at `at`. If it is damaged, makes the cursor fail and returns its end. */
static inline number take_number(brz_bytes *b, const uint8_t *at)
{
    number n = {NULL, 0};
    if (at < b->end)
        n.next = quick_varint(at, b->end, &n.value);
    return n.next != NULL ? n : take_unusual(b, at);
}

/* The same, of a number of 32 bits. */
static inline const uint8_t *take_u32(brz_bytes *b, const uint8_t *at, uint32_t *to)
{
    number n = take_number(b, at);
    *to = (uint32_t)n.value;
    return n.next;
}

/* The same, of one of 64 bits. */
static inline const uint8_t *take_u64(brz_bytes *b, const uint8_t *at, uint64_t *to)
{
    number n = take_number(b, at);
    *to = n.value;
    return n.next;
}

static inline const uint8_t *take_writer(brz_bytes *b, const uint8_t *at, event *to)
{
    uint32_t step;
    at = take_u32(b, at, &step);
    to->sequence += step;
    at = take_u64(b, at, &to->writer);
    return take_u32(b, at, &to->processor);
}

/* Takes an event. Members other than those of events_next_payload() are stored in `to`. */
static inline void take_compressed(events *e, event *to)
{
    brz_bytes *b = &e->bytes;
    const uint8_t *at = b->at;
    uint64_t passed;
    uint8_t flags = *at++;
    if (flags & HAS_METADATA)
        at = take_u32(b, at, &e->last.metadata);
    if (flags & HAS_WRITER)
        at = take_writer(b, at, to);
    if (e->last.metadata != 0)
        to->sequence++;
    if (flags & HAS_THREAD)
        at = take_u64(b, at, &to->thread);
    if (flags & HAS_STACK)
        at = take_u32(b, at, &to->stack);
    at = take_u64(b, at, &passed);
    to->time += passed;
    b->at = at;
    if (flags & HAS_ACTIVITY)
        brz_bytes_part(b, GUID_SIZE);
    if (flags & HAS_RELATED)
        brz_bytes_part(b, GUID_SIZE);
    if (flags & HAS_SIZE)
        e->payload_size = (uint32_t)brz_bytes_varint(b);
    e->last.payload = brz_bytes_part(b, e->payload_size);
}

static void take_plain(events *e)
{
    brz_bytes *b = &e->bytes;
    event *to = &e->last;
    uint32_t size = brz_bytes_u32(b);
    brz_bytes whole = brz_bytes_part(b, size);
    to->metadata = brz_bytes_u32(&whole) & INT32_MAX; /* the highest bit: events are sorted */
    to->sequence = brz_bytes_u32(&whole);
    to->thread = brz_bytes_u64(&whole);
    to->writer = brz_bytes_u64(&whole);
    to->processor = brz_bytes_u32(&whole);
    to->stack = brz_bytes_u32(&whole);
    to->time = brz_bytes_u64(&whole);
    brz_bytes_part(&whole, UINT64_C(2) * GUID_SIZE);
    to->payload = brz_bytes_part(&whole, brz_bytes_u32(&whole));
    brz_bytes_join(b, &whole);
    while (b->error == NULL && brz_bytes_left(b) > 0 && brz_bytes_offset(b) % 4 != 0)
        brz_bytes_u8(b);
}

bool events_next(events *e)
{
    if (brz_bytes_left(&e->bytes) == 0)
        return false;
    if (e->is_compressed)
        take_compressed(e, &e->last);
    else
        take_plain(e);
    return e->bytes.error == NULL;
}

bool events_next_payload(events *e)
{
    event skipped = {0};
    if (!e->is_compressed)
        return events_next(e);
    if (brz_bytes_left(&e->bytes) == 0)
        return false;
    take_compressed(e, &skipped);
    return e->bytes.error == NULL;
}
