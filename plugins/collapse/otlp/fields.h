/* SPDX-License-Identifier: MIT */
/* Reads the members of a message, which is in Protocol Buffers or JSON.
 *
 * A message is a part of the input. Members may be in any order; of those that are lists, each
 * element is read as a member of its own. Unknown members are skipped.
 */
#ifndef OTLP_FIELDS_H
#define OTLP_FIELDS_H

#include <brazier/binary.h>

#include <brazier/digits.h>

#include "../../common/json/cursor.h"
#include "../../common/quick_fields.h"
#include "schema.h"

/* The input that messages are parts of. */
typedef struct document {
    brz_ctx *ctx;
    bool is_json;
    layout layout;     /* in Protocol Buffers */
    quick_run samples; /* the longest sequence of samples: most of an input */
} document;

typedef struct fields {
    const document *document;
    const schema *schema;
    /* The member that was read. */
    size_t member;  /* its index */
    brz_str text;   /* a message or a text */
    int64_t number; /* a number; of a real number, in billionths */
    const char *at; /* its place */
    bool is_number; /* of a real number: `number` is its value, `text` otherwise */
    /* The rest of the message. */
    const char *damage; /* the place from which the message cannot be read; NULL: none */
    brz_bytes bytes;
    brz_bytes packed;     /* a list of numbers */
    uint32_t packed_type; /* of its elements */
    uint32_t key;         /* byte with which the next text or message of this member begins */
    cursor cursor;
    bool in_list;
    bool may_have_samples; /* values of unknown keys with samples are reported */
    char digits[BRZ_NUMBER_ROOM];
} fields;

/* Takes what is there of a text or message that is cut off and begins at `start`. */
bool fields_take_cut(const brz_bytes *b, const uint8_t *start, brz_proto_field *field);

/* Takes the next field of a message, like brz_proto_next(). Of a text or message that is cut off by
 * the end, takes what is there; the cursor then has its error. */
static inline bool fields_take(brz_bytes *b, brz_proto_field *field)
{
    const uint8_t *start = b->at;
    return brz_proto_next(b, field) ||
           (start < b->end && b->is_cut && field->type == BRZ_PROTO_BYTES &&
            fields_take_cut(b, start, field));
}

/* Starts to read a message. */
void fields_start(fields *f, const document *d, const schema *s, brz_str message);

/* Reads the next member as fields_next() does, if it is not a usual one that follows another. */
bool fields_next_other(fields *f);

/* Takes the next number of a list of varints. Returns false at its end, and if it is damaged. */
static inline bool fields_next_varint(fields *f)
{
    f->at = (const char *)f->packed.at;
    if (brz_bytes_left(&f->packed) == 0 || f->packed_type != BRZ_PROTO_VARINT)
        return false;
    f->number = (int64_t)brz_bytes_varint(&f->packed);
    return f->packed.error == NULL;
}

/* Takes a text or message of less than 128 bytes after another one of the same member. */
static inline bool fields_next_equal(fields *f)
{
    const uint8_t *at = f->bytes.at;
    size_t left = brz_bytes_left(&f->bytes);
    if (left < 2 || at[0] != f->key || at[1] >= 0x80 || left - 2 < at[1])
        return false;
    f->text = brz_str_of((const char *)at + 2, at[1]);
    f->at = f->text.data;
    f->bytes.at = at + 2 + at[1];
    return true;
}

/* Reads the next member. Returns false at the end, and where the message is damaged. */
static inline bool fields_next(fields *f)
{
    return fields_next_varint(f) || fields_next_equal(f) || fields_next_other(f);
}

/* Skips members like the one that was read, a text or message. In JSON, and before longer ones,
 * skips none. */
void fields_skip_equal(fields *f);

/* Warns if the message is damaged. Call it after the last member. */
void fields_finish(const fields *f, const char *code);

#endif
