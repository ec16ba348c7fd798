/* SPDX-License-Identifier: MIT */
/* Decodes the usual fields of Protocol Buffers quickly.
 *
 * These functions keep no state of failures: they return NULL for what is damaged or unusual, which
 * the caller then reads again by <brazier/binary.h>. At least 8 bytes after the end must be
 * readable, such as the slack after a chunk. */
#ifndef COMMON_QUICK_FIELDS_H
#define COMMON_QUICK_FIELDS_H

#include <brazier/binary.h>

typedef struct quick_field {
    uint32_t number, type;
    uint64_t value;    /* of a number; the length of other contents */
    const uint8_t *at; /* the contents */
} quick_field;

/* Makes a part of a cursor that has not failed. It is set member by member: copying what was just
 * written in parts waits for the writes. */
static inline void quick_part(brz_bytes *to, const brz_bytes *of, const uint8_t *at,
                              const uint8_t *end)
{
    to->start = of->start;
    to->at = at;
    to->end = end;
    to->error = NULL;
    to->error_at = NULL;
    to->order = of->order;
    to->is_cut = 0;
}

/* Joins the seven bits of each byte of a word. */
static inline uint64_t quick_join(uint64_t word)
{
    word = (word & UINT64_C(0x007f007f007f007f)) | (word & UINT64_C(0x7f007f007f007f00)) >> 1;
    word = (word & UINT64_C(0x00003fff00003fff)) | (word & UINT64_C(0x3fff00003fff0000)) >> 2;
    return (word & UINT64_C(0x0fffffff)) | (word & UINT64_C(0x0fffffff00000000)) >> 4;
}

/* Takes a varint of up to eight bytes. Returns the place after it. */
static inline const uint8_t *quick_long_varint(const uint8_t *at, const uint8_t *end,
                                               uint64_t *value)
{
    uint64_t word = brz_load_u64(at, BRZ_LITTLE_ENDIAN);
    uint64_t last = ~word & UINT64_C(0x8080808080808080);
    if (last == 0)
        return NULL;
    *value = quick_join(word & (last ^ (last - 1)));
    at += (unsigned)__builtin_ctzll(last) / 8 + 1;
    return at <= end ? at : NULL;
}

/* Takes a varint of up to eight bytes, which begins before `end`; faster if it is short. */
static inline const uint8_t *quick_varint(const uint8_t *at, const uint8_t *end, uint64_t *value)
{
    *value = at[0];
    if (at[0] < 0x80)
        return at + 1;
    *value += ((uint64_t)at[1] - 1) << 7; /* removes the highest bit of the byte before */
    if (at[1] < 0x80)
        return end - at < 2 ? NULL : at + 2;
    *value += ((uint64_t)at[2] - 1) << 14;
    if (at[2] < 0x80)
        return end - at < 3 ? NULL : at + 3;
    return quick_long_varint(at, end, value);
}

/* Takes the contents of a field that is no varint. Returns the place after them. */
static inline const uint8_t *quick_contents(const uint8_t *end, quick_field *f)
{
    if (f->type == BRZ_PROTO_BYTES) {
        f->at = f->at < end ? quick_varint(f->at, end, &f->value) : NULL;
        return f->at != NULL && f->value <= (uint64_t)(end - f->at) ? f->at + f->value : NULL;
    }
    size_t size = f->type == BRZ_PROTO_FIXED64 ? 8 : 4;
    if ((size_t)(end - f->at) < size || (size == 4 && f->type != BRZ_PROTO_FIXED32))
        return NULL;
    f->value =
        size == 8 ? brz_load_u64(f->at, BRZ_LITTLE_ENDIAN) : brz_load_u32(f->at, BRZ_LITTLE_ENDIAN);
    return f->at + size;
}

/* Takes the field that begins at `at`, which is before `end`. Returns the place after it. */
static inline const uint8_t *quick_next(const uint8_t *at, const uint8_t *end, quick_field *f)
{
    uint64_t key = *at++;
    if (key >= 0x80)
        at = quick_varint(at - 1, end, &key);
    if (at == NULL || key < 8 || key > UINT32_MAX)
        return NULL;
    f->at = at;
    f->number = (uint32_t)(key >> 3);
    f->type = (uint32_t)(key & 7);
    if (f->type != BRZ_PROTO_VARINT)
        return quick_contents(end, f);
    return at < end ? quick_varint(at, end, &f->value) : NULL;
}

/* A sequence of fields that were skipped. */
typedef struct quick_run {
    const uint8_t *start, *end;
} quick_run;

/* Skips the fields that follow as long as they are texts or messages with this number, which is
 * below 16, and have less than 16384 bytes. A sequence that was skipped before is skipped at once.
 */
static inline void quick_skip(brz_bytes *b, uint32_t number, const quick_run *known)
{
    const uint8_t *at = b->at, *end = b->end;
    uint32_t key = number << 3 | BRZ_PROTO_BYTES;
    if (at < end && *at == key && at == known->start && known->end <= end)
        at = known->end;
    while (key < 0x80 && end - at >= 3 && at[0] == key) {
        size_t len = at[1], head = 2;
        if (len >= 0x80) {
            len = (len & 0x7f) | (size_t)at[2] << 7;
            head = 3;
        }
        if (len >= 0x4000 || (size_t)(end - at) < head + len)
            break;
        at += head + len;
    }
    b->at = at;
}

/* Skips fields likewise, and keeps the longest sequence of them. */
static inline void quick_skip_and_keep(brz_bytes *b, uint32_t number, quick_run *longest)
{
    quick_run r = {.start = b->at};
    quick_skip(b, number, longest);
    r.end = b->at;
    if (r.end - r.start > longest->end - longest->start)
        *longest = r;
}

#endif
