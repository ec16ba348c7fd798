/* SPDX-License-Identifier: MIT */
/* Reads the members of JSON objects by their keys. */
#ifndef COMMON_JSON_MEMBERS_H
#define COMMON_JSON_MEMBERS_H

#include <brazier/text.h>

#include "cursor.h"

/* Returns the index of a key among `n` keys, or `n`. */
size_t members_find(brz_str key, const char *const *keys, size_t n);

/* Reads the value that has begun as a whole. The text of an object or array includes its brackets.
 */
brz_json_token members_value(cursor *c);

/* Reads the object that is open to its end. Stores the values of the members that have one of the
 * `n` keys; of two members with one key, the last one counts. */
void members_read(cursor *c, const char *const *keys, size_t n, brz_json_token *values);

/* Does the same for the value that has begun, if it is an object, and skips it otherwise. Returns
 * whether it is one. */
bool members_enter(cursor *c, const char *const *keys, size_t n, brz_json_token *values);

/* Does the same for a value that members_read() or members_value() has stored. */
bool members_of(brz_ctx *ctx, const brz_json_token *value, const char *const *keys, size_t n,
                brz_json_token *values);

/* Does the same for the whole input of a reader, and reports like cursor_report(). */
void members_of_input(brz_ctx *ctx, const brz_chunk *chunk, const char *const codes[2],
                      const char *const *keys, size_t n, brz_json_token *values);

/* Starts to read a value that members_read() or members_value() has stored: the cursor is
 * after the bracket. Returns false if the value is not an object or array as wanted. */
bool members_open(cursor *c, brz_ctx *ctx, const brz_json_token *value, brz_json_kind bracket);

/* Returns a number that a program wrote as a text, such as "12.5", as a number, with a note to the
 * user; returns any other value as it is. */
brz_json_token members_as_number(brz_ctx *ctx, const brz_json_token *value);

/* Pushes the frames whose indices in a list are the elements of an array. Returns false for another
 * value, for an index that the list does not have, and if the path has no frames then. */
bool members_push_frames(brz_ctx *ctx, const brz_json_token *indices, const brz_frame_list *frames,
                         brz_path *path);

/* Reads a whole number, which may be written as a text. Returns false for other values. */
bool members_integer(brz_ctx *ctx, const brz_json_token *value, int64_t *number);

/* Returns a whole number from 0 to UINT32_MAX, which may be written as a text, or `otherwise` for
 * other values. For ids and places, which need no note. */
uint32_t members_number(const brz_json_token *value, uint32_t otherwise);

#endif
