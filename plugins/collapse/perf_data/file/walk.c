/* SPDX-License-Identifier: MIT */
/* Walks the records of a stream of bytes. */
#include "walk.h"

/* Maximum number of records of unknown types in a row. */
#define UNKNOWN_MAX 16

/* Number of bytes after an odd header of an input that arrives in chunks, without which it is not
 * judged. The tests for damage may read as many: UNKNOWN_MAX records of 64 KiB and one more. So
 * these find the same for any division into chunks. */
#define AHEAD ((size_t)2 << 20)

/* Distance of places at which records may begin: a few types have sizes of 4 times an odd number.
 */
#define STEP 4

/* ---- damage --------------------------------------------------------------------------------- */

static bool is_known(const record *r)
{
    return (r->type > 0 && r->type <= RECORD_KERNEL_LAST) ||
           (r->type >= RECORD_USER_FIRST && r->type <= RECORD_USER_LAST);
}

/* Returns whether a record has a size that perf writes: for most types, a multiple of 8. */
static bool has_usual_size(const record *r)
{
    return r->size >= RECORD_HEADER &&
           (r->size % 8 == 0 || r->type == RECORD_COMPRESSED || r->type == RECORD_FEATURE ||
            r->type == RECORD_TRACING_DATA);
}

/* Returns the number of bytes that a record at `at` can have. */
static size_t room_at(const uint8_t *at, extent e)
{
    return e.is_open ? SIZE_MAX : (size_t)(e.end - at);
}

/* Returns whether too few bytes are left for a header. */
static bool is_at_end(const uint8_t *at, extent e)
{
    return at >= e.end || (size_t)(e.end - at) < RECORD_HEADER;
}

static bool is_plausible(const recording *p, const uint8_t *at, extent e)
{
    if (is_at_end(at, e))
        return false;
    record r = record_at(p, at);
    return is_known(&r) && has_usual_size(&r) && r.size <= room_at(at, e);
}

/* Returns whether a record of a known type or the end follows after a few of unknown types. */
static bool leads_to_record(const recording *p, const uint8_t *at, extent e)
{
    for (size_t i = 0; i < UNKNOWN_MAX; i++) {
        if (is_at_end(at, e))
            return e.is_open || at == e.end;
        if (is_plausible(p, at, e))
            return true;
        record r = record_at(p, at);
        if (r.size < RECORD_HEADER || r.size > room_at(at, e))
            return false;
        if (r.size > (size_t)(e.end - at))
            return true;
        at += r.size;
    }
    return at == e.end;
}

bool walk_is_damaged(const recording *p, const record *r, extent e)
{
    if (r->size < RECORD_HEADER || (r->type < RECORD_USER_FIRST && r->size % 8 != 0))
        return true;
    return !(is_known(r) && has_usual_size(r)) && !leads_to_record(p, r->data, e);
}

const uint8_t *walk_find(const recording *p, const uint8_t *at, extent e)
{
    for (; !is_at_end(at, e) && (size_t)(e.end - at) >= e.reserve; at += STEP) {
        if (!is_plausible(p, at, e))
            continue;
        size_t size = record_at(p, at).size;
        bool is_last = size >= (size_t)(e.end - at);
        if (is_last || is_plausible(p, at + size, e))
            return at;
    }
    return e.is_open ? at : e.end;
}

/* Reports the damage at which a stream searches for the next record. Zeros up to the end are what a
 * full disk leaves behind. */
static void report_damage(recording *p, stream *s, bool goes_on)
{
    s->is_searching = false;
    if (!p->is_scan)
        recording_lost_at(p, "perf-data.record", s->damaged,
                          goes_on ? BRZ_STR("a damaged record: the bytes up to the next one are "
                                            "left out")
                                  : BRZ_STR("a damaged record: the rest is left out"));
}

/* Continues the search for the next record. Damage may extend over several chunks. */
static void search(recording *p, stream *s, const uint8_t *from, extent e)
{
    s->at = walk_find(p, from, e);
    bool is_found = s->at < e.end && (size_t)(e.end - s->at) >= e.reserve;
    if (is_found || !e.is_open)
        report_damage(p, s, is_found);
}

/* Skips a damaged header. */
static void skip_damage(recording *p, stream *s, extent e)
{
    s->is_searching = true;
    s->damaged = recording_place(p, s->at);
    search(p, s, (size_t)(e.end - s->at) < 16 ? e.end : s->at + 8, e);
}

/* ---- walking -------------------------------------------------------------------------------- */

/* Returns the size of the data after a record, which its size does not include. */
static uint64_t size_after(const recording *p, const record *r)
{
    brz_bytes b = record_body(p, r);
    if (r->type == RECORD_AUXTRACE)
        return brz_bytes_u64(&b);
    if (r->type == RECORD_TRACING_DATA && p->header.is_pipe)
        return ((uint64_t)brz_bytes_u32(&b) + 7) / 8 * 8;
    return 0;
}

/* Returns whether a record and the data after it end in the input. */
static bool is_complete(const recording *p, const record *r, extent e)
{
    uint64_t left = (uint64_t)(e.end - r->data);
    return r->size <= left && size_after(p, r) <= left - r->size;
}

/* Skips a record that extends beyond the input. The end of a cut recording has been reported. */
static void skip_incomplete(recording *p, stream *s, const record *r, extent e)
{
    if (walk_find(p, r->data + 8, e) < e.end) {
        skip_damage(p, s, e);
        return;
    }
    if (!p->is_scan && (!p->header.is_cut || r->type == RECORD_AUXTRACE))
        recording_lost(p, "perf-data.cut", r->data,
                       BRZ_STR("the input ends within a record: left out"));
    s->at = e.end;
}

/* Returns the number of compressed bytes of a record, or UINT64_MAX if it has none or they do not
 * end in the input. */
static uint64_t packed_size(const recording *p, const uint8_t *at, extent e)
{
    uint64_t left = (uint64_t)(e.end - at);
    if (left < PACKED_HEADER || record_at(p, at).type != RECORD_COMPRESSED2)
        return UINT64_MAX;
    uint64_t size = word_u64(at + RECORD_HEADER, p->header.order);
    return size <= left - PACKED_HEADER && size <= INT32_MAX ? size : UINT64_MAX;
}

/* Returns whether a record ends at `at`: another one begins there, or the bytes end. */
static bool is_boundary(const recording *p, const uint8_t *at, extent e)
{
    return is_at_end(at, e) || is_plausible(p, at, e) || packed_size(p, at, e) != UINT64_MAX;
}

/* Sets the size of a compressed record that has more bytes than its header says. Returns false for
 * other records. */
static bool take_true_size(const recording *p, record *r, extent e)
{
    uint64_t packed = packed_size(p, r->data, e);
    if (packed == UINT64_MAX)
        return false;
    uint64_t whole = PACKED_HEADER + packed, padded = (whole + 7) / 8 * 8;
    bool is_sound = r->size >= PACKED_HEADER && r->size <= e.end - r->data &&
                    is_boundary(p, r->data + r->size, e);
    if (padded <= r->size || is_sound || !is_boundary(p, r->data + whole, e))
        return false;
    r->size = (uint32_t)whole;
    return true;
}

/* Returns whether more of the input has to arrive before a header can be judged. */
static bool needs_more(const recording *p, const record *r, extent e)
{
    uint64_t left = (uint64_t)(e.end - r->data);
    if (!e.is_open || left >= INT32_MAX)
        return false;
    if (!is_known(r) || !has_usual_size(r))
        return left < AHEAD;
    if (r->type != RECORD_COMPRESSED2)
        return false;
    uint64_t packed = left < PACKED_HEADER ? 0 : word_u64(r->data + RECORD_HEADER, p->header.order);
    return packed <= INT32_MAX && left < PACKED_HEADER + packed + AHEAD;
}

/* Examines the header at s->at. Returns true if a record is there, or false after moving on, or
 * without moving if more of the input is needed. */
static bool take(recording *p, stream *s, record *r, extent e)
{
    *r = record_at(p, s->at);
    if (walk_is_usual(r, e.end)) {
        s->at += r->size;
        return true;
    }
    if (needs_more(p, r, e))
        return false;
    if (!take_true_size(p, r, e) && walk_is_damaged(p, r, e)) {
        skip_damage(p, s, e);
        return false;
    }
    if (is_complete(p, r, e)) {
        s->at += r->size + size_after(p, r);
        return true;
    }
    if (!e.is_open)
        skip_incomplete(p, s, r, e);
    return false;
}

bool walk_slowly(recording *p, stream *s, record *r)
{
    extent e = {s->end, p->is_open, p->is_open ? AHEAD : 0};
    if (s->is_searching)
        search(p, s, s->at, e);
    while (!s->is_searching && s->end - s->at >= RECORD_HEADER) {
        const uint8_t *at = s->at;
        if (take(p, s, r, e))
            return true;
        if (s->at == at)
            return false;
    }
    return false;
}
