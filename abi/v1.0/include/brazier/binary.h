/* SPDX-License-Identifier: MIT */
/** @file
 * Reads binary data: integers of either byte order, variable-length integers, texts and parts of
 * known length.
 *
 * A cursor never leaves its range. Its first failure is permanent: every later read returns 0 or
 * empty, and brz_bytes.error and brz_bytes.error_at keep the reason and the place. A parser
 * therefore reads a whole record and checks once:
 *
 *     brz_bytes b = brz_bytes_of(chunk->data, chunk->len);
 *     uint32_t type = brz_bytes_u32(&b);
 *     uint64_t n = brz_bytes_count(&b, brz_bytes_varint(&b), 8);
 *     for (uint64_t i = 0; i < n; i++)
 *         take_address(brz_bytes_u64(&b));
 *     if (b.error != NULL)
 *         return brz_bytes_report(ctx, &b, BRZ_FATAL, "my-format.record");
 *
 * Before a length from the data is used for a loop or an allocation, brz_bytes_count() compares it
 * with the bytes that are left: no input can ask for more than it has.
 */
#ifndef BRAZIER_BINARY_H
#define BRAZIER_BINARY_H

#include <brazier/host.h>

#include <string.h>

#define BRZ_LITTLE_ENDIAN 0u /**< the least significant byte comes first */
#define BRZ_BIG_ENDIAN    1u /**< the most significant byte comes first */

/** A cursor over bytes that it does not own. */
typedef struct brz_bytes {
    const uint8_t *start;    /**< first byte of the data, from which offsets are counted */
    const uint8_t *at;       /**< next byte */
    const uint8_t *end;      /**< end of the range */
    const char *error;       /**< reason of the failure, static text; NULL: none so far */
    const uint8_t *error_at; /**< place of the failure, which lies in the range or at its end */
    uint32_t order;          /**< BRZ_LITTLE_ENDIAN, or BRZ_BIG_ENDIAN if the caller sets it */
    uint32_t is_cut; /**< 1: the read failed because the range ended, so more bytes may help */
} brz_bytes;

/* ---- cursors ------------------------------------------------------------------------------- */

/** Returns a little-endian cursor at the beginning of data[0..len). */
static inline brz_bytes brz_bytes_of(const void *data, size_t len)
{
    brz_bytes b;
    memset(&b, 0, sizeof b);
    b.start = b.at = b.end = (const uint8_t *)data;
    if (len > 0)
        b.end += len;
    return b;
}

/** Returns the number of bytes that are left, which is 0 after a failure. */
static inline size_t brz_bytes_left(const brz_bytes *b)
{
    return (size_t)(b->end - b->at);
}

/** Returns the offset of the next byte. */
static inline size_t brz_bytes_offset(const brz_bytes *b)
{
    return (size_t)(b->at - b->start);
}

/** Returns the offset of the failure; without one, that of the next byte. */
static inline size_t brz_bytes_error_offset(const brz_bytes *b)
{
    return (size_t)((b->error != NULL ? b->error_at : b->at) - b->start);
}

/** Makes the cursor fail at `at`, which lies in its range. `why` is static text. Keeps an earlier
 * failure. */
static inline void brz_bytes_fail_at(brz_bytes *b, const uint8_t *at, const char *why)
{
    if (b->error == NULL) {
        b->error = why;
        b->error_at = at;
    }
    b->at = b->end;
}

/** Makes the cursor fail at its next byte, likewise. */
static inline void brz_bytes_fail(brz_bytes *b, const char *why)
{
    brz_bytes_fail_at(b, b->at, why);
}

/** Makes the cursor fail because the range ends too early. */
static inline void brz_bytes_cut(brz_bytes *b)
{
    if (b->error == NULL)
        b->is_cut = 1;
    brz_bytes_fail(b, "the data ends too early");
}

/** Returns true if `n` more bytes are left; if not, makes the cursor fail. */
static inline bool brz_bytes_need(brz_bytes *b, uint64_t n)
{
    if (n <= (uint64_t)brz_bytes_left(b))
        return b->error == NULL;
    brz_bytes_cut(b);
    return false;
}

/** Reports the failure at its place, which must lie in the current chunk. Returns BRZ_ERROR for a
 * failure of severity BRZ_FATAL, and BRZ_OK otherwise. */
static inline brz_rc brz_bytes_report(brz_ctx *ctx, const brz_bytes *b, int32_t severity,
                                      const char *code)
{
    const char *why = b->error != NULL ? b->error : "invalid data";
    brz_report(ctx, severity, code, b->error != NULL ? b->error_at : b->at, 0,
               brz_str_of_text(why));
    return severity == BRZ_FATAL ? BRZ_ERROR : BRZ_OK;
}

/** Warns about the failure at its place, which must lie in the current chunk. Does nothing without
 * a failure: call it after the last read of each message or record that is used although a part of
 * it is missing. */
static inline void brz_bytes_warn(brz_ctx *ctx, const brz_bytes *b, const char *code)
{
    if (b->error != NULL)
        brz_bytes_report(ctx, b, BRZ_WARNING, code);
}

/* ---- integers in memory ---------------------------------------------------------------------- */

/** Returns the 16-bit integer at `p`, in the given byte order. */
static inline uint16_t brz_load_u16(const uint8_t *p, uint32_t order)
{
    unsigned first = p[0], second = p[1];
    return (uint16_t)(order == BRZ_BIG_ENDIAN ? first << 8 | second : second << 8 | first);
}

/** Returns the 32-bit integer at `p`. */
static inline uint32_t brz_load_u32(const uint8_t *p, uint32_t order)
{
    uint32_t first = brz_load_u16(p, order), second = brz_load_u16(p + 2, order);
    return order == BRZ_BIG_ENDIAN ? first << 16 | second : second << 16 | first;
}

/** Returns the 64-bit integer at `p`. */
static inline uint64_t brz_load_u64(const uint8_t *p, uint32_t order)
{
    uint64_t first = brz_load_u32(p, order), second = brz_load_u32(p + 4, order);
    return order == BRZ_BIG_ENDIAN ? first << 32 | second : second << 32 | first;
}

/* ---- integers of fixed size ------------------------------------------------------------------ */

/** Takes an unsigned integer of 8 bits. */
static inline uint8_t brz_bytes_u8(brz_bytes *b)
{
    return brz_bytes_need(b, 1) ? *b->at++ : 0;
}

/** Takes an unsigned integer of 16 bits. */
static inline uint16_t brz_bytes_u16(brz_bytes *b)
{
    if (!brz_bytes_need(b, 2))
        return 0;
    b->at += 2;
    return brz_load_u16(b->at - 2, b->order);
}

/** Takes an unsigned integer of 32 bits. */
static inline uint32_t brz_bytes_u32(brz_bytes *b)
{
    if (!brz_bytes_need(b, 4))
        return 0;
    b->at += 4;
    return brz_load_u32(b->at - 4, b->order);
}

/** Takes an unsigned integer of 64 bits. */
static inline uint64_t brz_bytes_u64(brz_bytes *b)
{
    if (!brz_bytes_need(b, 8))
        return 0;
    b->at += 8;
    return brz_load_u64(b->at - 8, b->order);
}

/** Takes an unsigned integer of `size` bytes, 1 to 8, such as a machine word or an address. */
static inline uint64_t brz_bytes_uint(brz_bytes *b, uint32_t size)
{
    uint64_t value = 0;
    if (size < 1 || size > 8) {
        brz_bytes_fail(b, "an integer of an unsupported size");
        return 0;
    }
    if (!brz_bytes_need(b, size))
        return 0;
    for (uint32_t i = 0; i < size; i++)
        value = value << 8 | b->at[b->order == BRZ_BIG_ENDIAN ? i : size - 1 - i];
    b->at += size;
    return value;
}

/** Takes a signed integer of 8 bits. */
static inline int8_t brz_bytes_i8(brz_bytes *b)
{
    return (int8_t)brz_bytes_u8(b);
}

/** Takes a signed integer of 32 bits. */
static inline int32_t brz_bytes_i32(brz_bytes *b)
{
    return (int32_t)brz_bytes_u32(b);
}

/** Takes a signed integer of 64 bits. */
static inline int64_t brz_bytes_i64(brz_bytes *b)
{
    return (int64_t)brz_bytes_u64(b);
}

/** Takes an IEEE 754 number of 32 bits. */
static inline float brz_bytes_f32(brz_bytes *b)
{
    uint32_t bits = brz_bytes_u32(b);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/** Takes an IEEE 754 number of 64 bits. */
static inline double brz_bytes_f64(brz_bytes *b)
{
    uint64_t bits = brz_bytes_u64(b);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- integers of variable length --------------------------------------------------------------
 *
 * Seven bits per byte, the least significant ones first; the highest bit of a byte says that
 * another one follows. A number that does not fit into 64 bits is a failure at its first byte. */

/** Makes the cursor fail at `start` because a number is too large; returns 0. */
static inline uint64_t brz_bytes_too_large(brz_bytes *b, const uint8_t *start)
{
    brz_bytes_fail_at(b, start, "a number of more than 64 bits");
    return 0;
}

/** Makes the cursor fail at `start` because a number is incomplete; returns 0. */
static inline uint64_t brz_bytes_cut_at(brz_bytes *b, const uint8_t *start)
{
    b->at = start;
    brz_bytes_cut(b);
    return 0;
}

/** Takes an unsigned LEB128 number, the varint of Protocol Buffers. */
static inline uint64_t brz_bytes_varint(brz_bytes *b)
{
    const uint8_t *start = b->at;
    uint64_t value = 0;
    if (b->end - start >= 2 && (start[0] < 0x80 || start[1] < 0x80)) { /* most are that short */
        bool is_one = start[0] < 0x80;
        b->at = start + (is_one ? 1 : 2);
        return is_one ? start[0] : (uint64_t)(start[0] & 0x7f) | (uint64_t)start[1] << 7;
    }
    for (unsigned shift = 0; b->at < b->end; shift += 7) {
        uint64_t bits = *b->at & 0x7fu;
        bool more = (*b->at++ & 0x80) != 0;
        if (shift == 63 && (more || bits > 1))
            return brz_bytes_too_large(b, start);
        value |= bits << shift;
        if (!more)
            return value;
    }
    return brz_bytes_cut_at(b, start);
}

/** Takes a signed LEB128 number, in two's complement. (Protocol Buffers write int64 as the varint
 * of its 64 bits, and sint64 in ZigZag code.) */
static inline int64_t brz_bytes_sleb128(brz_bytes *b)
{
    const uint8_t *start = b->at;
    uint64_t value = 0;
    for (unsigned shift = 0; b->at < b->end; shift += 7) {
        uint64_t bits = *b->at & 0x7fu;
        bool more = (*b->at++ & 0x80) != 0;
        if (shift == 63 && (more || (bits != 0 && bits != 0x7f)))
            return (int64_t)brz_bytes_too_large(b, start);
        value |= bits << shift;
        if (!more && (bits & 0x40) != 0 && shift < 57)
            value |= ~UINT64_C(0) << (shift + 7);
        if (!more)
            return (int64_t)value;
    }
    return (int64_t)brz_bytes_cut_at(b, start);
}

/** Takes a varint of at most nine bytes, whose ninth byte has eight bits, as Java Flight Recorder
 * writes them. */
static inline uint64_t brz_bytes_varint9(brz_bytes *b)
{
    const uint8_t *start = b->at;
    uint64_t value = 0;
    for (unsigned shift = 0; b->at < b->end; shift += 7) {
        uint64_t byte = *b->at++;
        if (shift == 56 || byte < 0x80)
            return value | byte << shift;
        value |= (byte & 0x7f) << shift;
    }
    return brz_bytes_cut_at(b, start);
}

/* ---- parts ----------------------------------------------------------------------------------- */

/** Returns `n` if as many elements of `size` bytes or more can be left, and 0 after making the
 * cursor fail if not. `size` is the least that an element takes; 0 counts as 1. */
static inline uint64_t brz_bytes_count(brz_bytes *b, uint64_t n, size_t size)
{
    if (b->error != NULL)
        return 0;
    if (n <= brz_bytes_left(b) / (size > 0 ? size : 1))
        return n;
    brz_bytes_cut(b);
    return 0;
}

/** Skips `n` bytes. */
static inline void brz_bytes_skip(brz_bytes *b, uint64_t n)
{
    if (brz_bytes_need(b, n))
        b->at += n;
}

/** Moves to an offset, forwards or backwards. */
static inline void brz_bytes_seek(brz_bytes *b, uint64_t offset)
{
    if (b->error != NULL)
        return;
    if (offset <= (uint64_t)(b->end - b->start))
        b->at = b->start + offset;
    else
        brz_bytes_cut(b);
}

/** Takes `n` bytes as a text; a failure makes it empty. */
static inline brz_str brz_bytes_text(brz_bytes *b, uint64_t n)
{
    if (!brz_bytes_need(b, n))
        return brz_str_of("", 0);
    b->at += n;
    return brz_str_of((const char *)(b->at - n), (size_t)n);
}

/** Takes a text up to a zero byte, which is skipped. */
static inline brz_str brz_bytes_text_to_zero(brz_bytes *b)
{
    size_t left = brz_bytes_left(b);
    const uint8_t *zero = left == 0 ? NULL : (const uint8_t *)memchr(b->at, 0, left);
    if (zero == NULL) {
        brz_bytes_cut(b);
        return brz_str_of("", 0);
    }
    brz_str text = brz_str_of((const char *)b->at, (size_t)(zero - b->at));
    b->at = zero + 1;
    return text;
}

/** Takes a field of `n` bytes; the text in it ends at the first zero byte, if there is one. */
static inline brz_str brz_bytes_padded_text(brz_bytes *b, uint64_t n)
{
    brz_str text = brz_bytes_text(b, n);
    const char *zero = text.len == 0 ? NULL : (const char *)memchr(text.data, 0, text.len);
    return zero == NULL ? text : brz_str_of(text.data, (size_t)(zero - text.data));
}

/** Takes `n` bytes as a cursor of their own, such as a record or a message within this one, and
 * moves past them. Its offsets are those of this cursor; its failures are its own: see
 * brz_bytes_join(). If this cursor fails, the new one has failed, too. */
static inline brz_bytes brz_bytes_part(brz_bytes *b, uint64_t n)
{
    brz_bytes part = *b;
    if (!brz_bytes_need(b, n)) {
        part = *b;
        part.end = part.at;
        return part;
    }
    part.end = b->at + n;
    b->at += n;
    return part;
}

/** Returns a cursor over the `n` bytes at an offset, likewise, without moving this one. */
static inline brz_bytes brz_bytes_part_at(brz_bytes *b, uint64_t offset, uint64_t n)
{
    const uint8_t *at = b->at;
    brz_bytes_seek(b, offset);
    brz_bytes part = brz_bytes_part(b, n);
    if (b->error == NULL)
        b->at = at;
    return part;
}

/** Makes the cursor fail if a part of it has failed. A part that is cut is invalid: more bytes
 * after it do not help. */
static inline void brz_bytes_join(brz_bytes *b, const brz_bytes *part)
{
    if (part->error != NULL)
        brz_bytes_fail_at(b, part->error_at, part->error);
}

/* ---- messages of Protocol Buffers ----------------------------------------------------------- */

/** A field of a message. */
typedef struct brz_proto_field {
    uint32_t number; /**< number of the field */
    uint32_t type;   /**< BRZ_PROTO_VARINT and others */
    uint64_t value;  /**< value of a varint, or bits of a fixed32 or fixed64 */
    brz_bytes part;  /**< contents of a string, message or packed list; otherwise empty */
} brz_proto_field;

#define BRZ_PROTO_VARINT  0u /**< int32, int64, uint32, uint64, sint32, sint64, bool, enum */
#define BRZ_PROTO_FIXED64 1u /**< fixed64, sfixed64, double */
#define BRZ_PROTO_BYTES   2u /**< string, bytes, a message, a packed list */
#define BRZ_PROTO_FIXED32 5u /**< fixed32, sfixed32, float */

/** Takes the next field of a message. Returns false at the end of the range and after a failure.
 * Groups, which proto3 does not have, are a failure. */
static inline bool brz_proto_next(brz_bytes *b, brz_proto_field *field)
{
    if (brz_bytes_left(b) == 0)
        return false;
    const uint8_t *start = b->at;
    uint64_t key = brz_bytes_varint(b);
    field->number = (uint32_t)(key >> 3);
    field->type = (uint32_t)(key & 7);
    field->value = 0;
    field->part = *b;
    field->part.end = field->part.at;
    if (b->error == NULL && (key >> 3 == 0 || key >> 3 > 0x1fffffff))
        brz_bytes_fail_at(b, start, "an invalid field number");
    if (b->error != NULL)
        return false;
    switch (field->type) {
    case BRZ_PROTO_VARINT:
        field->value = brz_bytes_varint(b);
        break;
    case BRZ_PROTO_FIXED64:
        field->value = brz_bytes_uint(b, 8);
        break;
    case BRZ_PROTO_FIXED32:
        field->value = brz_bytes_uint(b, 4);
        break;
    case BRZ_PROTO_BYTES:
        field->part = brz_bytes_part(b, brz_bytes_varint(b));
        break;
    default:
        brz_bytes_fail_at(b, start, "an unknown type of field");
    }
    return b->error == NULL;
}

/** Returns the contents of a field of type BRZ_PROTO_BYTES as text. */
static inline brz_str brz_proto_text(const brz_proto_field *field)
{
    return brz_str_of((const char *)field->part.at, brz_bytes_left(&field->part));
}

/** Takes the next number of a repeated field, which is packed or not. Returns false after the last
 * one; a failure of the part is left in it. Initialise *taken with 0.
 *
 * `type` is that of a number in the list: BRZ_PROTO_VARINT, BRZ_PROTO_FIXED64 or BRZ_PROTO_FIXED32.
 * A packed list does not contain it, so take it from the definition of the message: the bytes of a
 * `fixed64` are valid varints, too, of other numbers. The bits of fixed numbers are stored as they
 * are. */
static inline bool brz_proto_next_number(brz_proto_field *field, uint32_t type, uint32_t *taken,
                                         uint64_t *number)
{
    if (field->type != BRZ_PROTO_BYTES) {
        *number = field->value;
        return (*taken)++ == 0;
    }
    if (brz_bytes_left(&field->part) == 0)
        return false;
    if (type == BRZ_PROTO_VARINT)
        *number = brz_bytes_varint(&field->part);
    else
        *number = brz_bytes_uint(&field->part, type == BRZ_PROTO_FIXED64 ? 8 : 4);
    return field->part.error == NULL;
}

#endif
