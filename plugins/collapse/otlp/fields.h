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
#include "schema.h"

/* The input that messages are parts of. */
typedef struct document {
    brz_ctx *ctx;
    bool is_json;
    layout layout; /* in Protocol Buffers */
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
    brz_proto_field packed; /* a list of numbers */
    uint32_t taken;         /* number of its elements that were read */
    cursor cursor;
    bool in_list;
    bool may_have_samples; /* values of unknown keys with samples are reported */
    char digits[BRZ_NUMBER_ROOM];
} fields;

/* Takes the next field of a message, like brz_proto_next(). Of a text or message that is cut off by
 * the end, takes what is there; the cursor then has its error. */
bool fields_take(brz_bytes *b, brz_proto_field *field);

/* Starts to read a message. */
void fields_start(fields *f, const document *d, const schema *s, brz_str message);

/* Reads the next member. Returns false at the end, and where the message is damaged. */
bool fields_next(fields *f);

/* Warns if the message is damaged. Call it after the last member. */
void fields_finish(const fields *f, const char *code);

#endif
