/* SPDX-License-Identifier: MIT */
/* Finds values in a JSON text that is in memory. */
#ifndef BRZ_CLI_CARGO_JSON_VALUE_H
#define BRZ_CLI_CARGO_JSON_VALUE_H

#include <brazier/json.h>

#include "base/arena.h"
#include "base/buf.h"

/* A value. The text of an object or array includes its brackets. BRZ_JSON_MORE: no value. */
typedef brz_json_token json_value;

/* Returns the value of a text. */
json_value json_value_of(brz_str text);

/* Returns the member of an object with a key. */
json_value json_member(json_value object, const char *key);

/* A walk through the elements of an array. */
typedef struct json_walk {
    brz_json parser;
    const char *at, *end;
} json_walk;

/* Begins a walk. Values other than arrays have no elements. */
json_walk json_walk_of(json_value array);

/* Stores the next element. Returns false at the end. */
bool json_walk_next(json_walk *w, json_value *element);

/* Returns true for a string with this text. */
bool json_is(json_value v, const char *text);

/* Returns true if an array has a string with this text. */
bool json_has(json_value array, const char *text);

/* Appends the text of a string, or of a number as it is written; nothing for other values. */
void json_append(json_value v, brz_buf *to);

/* Copies that text into an arena. */
const char *json_keep(brz_arena *arena, json_value v);

#endif
