/* SPDX-License-Identifier: MIT */
/* Reads compressed records. */
#include "packed.h"

#include <stdio.h>

/* Largest number of compressed bytes after a header: perf divides more of them. */
#define PIECE_MAX 65519

/* The compressed record that is being unpacked, and the result so far. */
typedef struct unpacking {
    recording *p;
    const record *from;
    packed_visit *visit;
    brz_rc rc;
} unpacking;

/* Reports damage, with its place among the unpacked bytes of the stream. */
static void report_damage(const unpacking *u, uint64_t offset, bool goes_on)
{
    char text[160];
    int n = snprintf(text, sizeof text,
                     "a damaged record, at byte 0x%llx of the unpacked ones: the bytes up to the "
                     "next one are left out%s",
                     (unsigned long long)offset, goes_on ? "" : ", if there is one");
    recording_lost(u->p, "perf-data.packed", u->from->at, brz_str_of(text, (size_t)n));
}

/* Returns the next place at which records begin, or about the end. Damage that extends over several
 * compressed records is reported once. */
static const uint8_t *skip_damage(const unpacking *u, const uint8_t *start, const uint8_t *at,
                                  extent e)
{
    stream *s = u->p->stream;
    const uint8_t *next = walk_find(u->p, s->is_damaged ? at : at + 8, e);
    bool is_found = e.end - next >= RECORD_HEADER;
    if (!s->is_damaged)
        report_damage(u, s->packed.taken + (uint64_t)(at - start), is_found);
    s->is_damaged = !is_found;
    return next;
}

static brz_rc visit_unpacked(const unpacking *u, const record *r)
{
    bool nested = r->type == RECORD_COMPRESSED || r->type == RECORD_COMPRESSED2;
    u->p->losses.unknown_type += nested;
    return nested ? BRZ_OK : u->visit(u->p, r);
}

/* Implements unpack_take. */
static size_t take_unpacked(void *context, uint32_t block, const uint8_t *data, size_t len,
                            bool *stop)
{
    unpacking *u = context;
    const uint8_t *at = data;
    extent e = {data + len, true, 0};
    while (u->rc == BRZ_OK && (size_t)(e.end - at) >= RECORD_HEADER) {
        record r = record_at(u->p, at);
        if (u->p->stream->is_damaged || walk_is_damaged(u->p, &r, e)) {
            at = skip_damage(u, data, at, e);
            continue;
        }
        if (r.size > (size_t)(e.end - at))
            break;
        r.block = block;
        r.at = u->from->at;
        u->rc = visit_unpacked(u, &r);
        at += r.size;
    }
    *stop = u->rc != BRZ_OK;
    return (size_t)(at - data);
}

/* Returns the compressed bytes of a record. Some versions of perf write a size of the data that
 * does not agree with the size of the record: then the record counts. */
static brz_bytes packed_bytes(const recording *p, const record *r)
{
    brz_bytes b = record_body(p, r);
    if (r->type == RECORD_COMPRESSED)
        return b;
    uint64_t size = brz_bytes_u64(&b);
    if (size < brz_bytes_left(&b))
        b.end = b.at + size;
    return b;
}

/* Returns the size of the piece whose header is at `at`. Returns 0 if the bytes are not such a
 * header, or if the piece ends after `end`. */
static size_t piece_size(const recording *p, const uint8_t *at, const uint8_t *end)
{
    if (end - at < PACKED_HEADER)
        return 0;
    record r = record_at(p, at);
    bool good = r.type == RECORD_COMPRESSED2 && r.size >= PACKED_HEADER;
    return good && r.size <= (size_t)(end - at) ? r.size : 0;
}

/* Returns whether pieces follow each other from `at` to the end. Reduces the number of steps that
 * may still be made. */
static bool is_chain(const recording *p, const uint8_t *at, const uint8_t *end, size_t *steps)
{
    for (; at<end && * steps> 0; (*steps)--) {
        size_t size = piece_size(p, at, end);
        if (size == 0)
            return false;
        at += size;
    }
    return at == end;
}

/* Returns the number of bytes in front of the first header among the bytes of a record. perf 6.16
 * writes several pieces as one record, whose size includes the headers of the others. */
static size_t length_of_first(const recording *p, uint32_t type, brz_bytes b)
{
    size_t left = brz_bytes_left(&b), steps = 4096 + left / PACKED_HEADER;
    if (type != RECORD_COMPRESSED2 || left <= PIECE_MAX)
        return left;
    if (is_chain(p, b.at + PIECE_MAX, b.end, &steps))
        return PIECE_MAX;
    for (size_t n = 0; n < PIECE_MAX && steps > 0; n++)
        if (is_chain(p, b.at + n, b.end, &steps))
            return n;
    return left;
}

/* Unpacks the pieces of a record. Returns false if the stream is damaged. */
static bool feed_pieces(recording *p, unpacking *u)
{
    bool good = true;
    brz_bytes b = packed_bytes(p, u->from);
    for (size_t n = length_of_first(p, u->from->type, b); good && u->rc == BRZ_OK;) {
        good = unpack_feed(&p->unpack, &p->stream->packed, p->ctx, b.at, n, take_unpacked, u);
        b.at += n;
        size_t next = piece_size(p, b.at, b.end);
        if (next == 0)
            break;
        b.at += PACKED_HEADER;
        n = next - PACKED_HEADER;
    }
    return good;
}

brz_rc packed_take(recording *p, const record *r, packed_visit *visit)
{
    unpacking u = {p, r, visit, BRZ_OK};
    bool was_failed = p->stream->packed.failed;
    bool good = feed_pieces(p, &u);
    if (!good && !was_failed)
        recording_lost(p, "perf-data.zstd", r->at,
                       BRZ_STR("the compressed records are damaged: those up to the next "
                               "beginning of a compressed stream are left out"));
    return u.rc;
}

void packed_finish(recording *p, const stream *s)
{
    if (unpack_rest(&p->unpack, &s->packed) > 0 && !s->packed.failed && !p->header.is_cut)
        recording_lost(p, "perf-data.cut", s->end,
                       BRZ_STR("the compressed records end within a record: left out"));
}
