/* SPDX-License-Identifier: MIT */
/* Walks the records of a stream of bytes, and goes on after damaged ones.
 *
 *     record := type:u32 misc:u16 size:u16 body
 *
 * Some records of perf are followed by data that `size` does not include. perf 6.16 writes
 * compressed records of which `size` has only the low 16 bits: COMPRESSED2 with a number of bytes
 * that `size` is too small for, and without padding.
 */
#ifndef PERF_DATA_WALK_H
#define PERF_DATA_WALK_H

#include "changes.h"

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

/* Size of the header of a record. */
#define RECORD_HEADER 8

/* Size of that and of the number of compressed bytes of a COMPRESSED2 record. */
#define PACKED_HEADER 16

typedef struct record {
    uint32_t type, size;
    uint16_t misc;
    uint32_t block;      /* memory of the record: see unpack.h */
    const uint8_t *data; /* with the header */
    const uint8_t *at;   /* place in the input */
} record;

/* A part of the bytes of a stream. */
typedef struct extent {
    const uint8_t *end;
    bool is_open;   /* more bytes follow, which have not arrived yet */
    size_t reserve; /* bytes before the end that no search examines yet */
} extent;

/* Decodes the header at `data`, of which RECORD_HEADER bytes must be there. */
static inline record record_at(const recording *p, const uint8_t *data)
{
    uint32_t order = p->header.order;
    record r = {.type = word_u32(data, order), .block = NO_BLOCK, .data = data, .at = data};
    r.misc = word_u16(data + 4, order);
    r.size = word_u16(data + 6, order);
    return r;
}

/* Returns the bytes after the header. */
static inline brz_bytes record_body(const recording *p, const record *r)
{
    brz_bytes b = brz_bytes_of(r->data + RECORD_HEADER, r->size - RECORD_HEADER);
    b.order = p->header.order;
    return b;
}

/* Returns whether the header of a record is damaged. */
bool walk_is_damaged(const recording *p, const record *r, extent e);

/* Finds the next record at or after `at` that is followed by another record or by the end of the
 * bytes. If no record follows, returns the end of the extent; for an open extent, returns the place
 * where too few bytes are left for a header. */
const uint8_t *walk_find(const recording *p, const uint8_t *at, extent e);

/* Returns whether a header is that of a record of the kernel in the bytes, which needs no further
 * look: most headers are. */
static inline bool walk_is_usual(const record *r, const uint8_t *end)
{
    return r->type > 0 && r->type <= RECORD_KERNEL_LAST && r->size >= RECORD_HEADER &&
           r->size % 8 == 0 && r->size <= (size_t)(end - r->data);
}

/* Takes the next record of a stream that needs a closer look: see walk_next(). */
bool walk_slowly(recording *p, stream *s, record *r);

/* Takes the next record of a stream. Reports what it skips, unless this is a scan. Returns false at
 * the end, or if more of the input follows and is needed: s->at is where to go on. */
static inline bool walk_next(recording *p, stream *s, record *r)
{
    if (s->is_searching || s->end - s->at < RECORD_HEADER)
        return walk_slowly(p, s, r);
    *r = record_at(p, s->at);
    if (!walk_is_usual(r, s->end))
        return walk_slowly(p, s, r);
    s->at += r->size;
    return true;
}

#endif
