/* SPDX-License-Identifier: MIT */
/* Walks through a JSON document that is in memory as a whole.
 *
 * A cursor reads the members of an object or the elements of an array in a loop; the caller skips
 * or enters the values that are objects and arrays. At the end of the text and at an error, every
 * loop ends, and `failed` or `cut` says why. Nothing recurses. A cursor accepts what programs write
 * in place of JSON, such as NaN (brz_json_deviation), and counts that.
 */
#ifndef COMMON_JSON_CURSOR_H
#define COMMON_JSON_CURSOR_H

#include <brazier/collapser.h>
#include <brazier/json.h>

typedef struct cursor {
    brz_ctx *ctx;
    brz_json parser;
    const char *at, *end;
    brz_json_token token; /* the last token: a value, or its opening bracket */
    bool failed;          /* the text is not JSON: `token` has the position */
    bool cut;             /* the text ends too early */
} cursor;

/* Starts at the beginning of a text. `ctx` may be NULL for texts of up to 64 nested brackets. */
void cursor_start(cursor *c, brz_ctx *ctx, brz_str text);

/* Starts at the object that is the whole input of a reader. Returns false for another value. */
bool cursor_open(cursor *c, brz_ctx *ctx, const brz_chunk *chunk);

/* Reads the next token. Returns false at the end and at an error. */
bool cursor_next(cursor *c);

/* Reads the next member of the object that is open, up to its value or the bracket that opens it.
 * Returns false at the object's end. The value before must have been read as a whole. */
bool cursor_member(cursor *c, brz_str *key);

/* Reads the next element of the array that is open, likewise. */
bool cursor_element(cursor *c);

/* Reads the rest of the value that has begun. Returns its text. */
brz_str cursor_skip(cursor *c);

/* Reads the rest of the value that has begun. Returns its text if it is an array, or an empty text.
 */
brz_str cursor_array(cursor *c);

/* Returns whether the value that has begun is an object or array as wanted. Skips it otherwise. */
bool cursor_enter(cursor *c, brz_json_kind bracket);

/* Reports how the text that was parsed deviates from JSON, for each kind of deviation. */
void cursor_report_deviations(brz_ctx *ctx, const brz_json *parser);

/* Reports why the document could not be read to its end, or what follows it, and how it deviates
 * from JSON. `codes` are those of the two reports: not JSON, and cut off. */
void cursor_report(cursor *c, const char *const codes[2]);

/* Returns a set of bits for the `paths` that occur at the beginning of a file. A path has the keys
 * of nested objects, separated by dots; arrays do not count. */
uint32_t cursor_paths(const brz_head *head, const char *const *paths);

/* Does the same for a file that is an array, whose elements are objects. */
uint32_t cursor_element_paths(const brz_head *head, const char *const *paths);

#endif
