/* SPDX-License-Identifier: MIT */
/* The members of a dump of stackprof, in JSON or in Ruby's Marshal format. */
#ifndef STACKPROF_INPUT_H
#define STACKPROF_INPUT_H

#include "../../common/json/members.h"
#include "marshal.h"

typedef enum member { MODE, INTERVAL, FRAMES, RAW, TIMESTAMPS, SAMPLES, N_MEMBERS } member;

typedef struct input {
    brz_ctx *ctx;
    bool is_ruby;
    brz_json_token members[N_MEMBERS]; /* of JSON */
    marshal ruby;
    size_t offsets[N_MEMBERS]; /* of values in Ruby's format, or 0 */
} input;

/* An id in Ruby's format, with the bytes after it that the table of ids may read. */
typedef struct ruby_id {
    int64_t id;
    char room[32];
} ruby_id;

/* Returns the bytes of an id, for the table of ids. */
static inline brz_str ruby_id_bytes(const ruby_id *r)
{
    return brz_str_of((const char *)&r->id, sizeof r->id);
}

/* Reads the whole input, and reports what it cannot read. */
void input_read(input *in, brz_ctx *ctx, const brz_chunk *chunk);

/* Returns the text of a member, which may be in *scratch, or an empty one. */
brz_str input_text(const input *in, member which, brz_text *scratch);

/* Returns a number from 0 to UINT32_MAX, or 0 for other values. */
uint32_t input_number(const input *in, member which);

/* Returns the place of a member, to report it: its text, or its first byte in Ruby's format. */
brz_str input_place(const input *in, member which);

/* A list of numbers that is read. */
typedef struct number_list {
    const input *in;
    cursor json;
    marshal_list ruby;
    int64_t number; /* the last one */
    brz_str at;     /* its place */
} number_list;

typedef enum number_found { NUMBER, NUMBERS_END, NO_NUMBER } number_found;

/* Starts to read a member. Returns false if it is no list. */
bool numbers_open(number_list *list, const input *in, member which);

/* Reads the next number. Each value is passed, also one that is no number. */
number_found numbers_next(number_list *list);

#endif
