/* SPDX-License-Identifier: MIT */
/* Reads values of Python's marshal format, as far as profiles have them.
 *
 *     value := type [contents]
 *
 * The highest bit of a type adds the value to a list, which later values refer to by their index.
 * Nested values are read by their owner, so that nothing recurses: references to dictionaries, and
 * to tuples with tuples in them, are refused.
 */
#ifndef PSTATS_MARSHAL_H
#define PSTATS_MARSHAL_H

#include <brazier/binary.h>
#include <brazier/text.h>

typedef enum marshal_kind { MARSHAL_INTEGER, MARSHAL_FLOAT, MARSHAL_TEXT } marshal_kind;

typedef struct marshal_value {
    marshal_kind kind;
    int64_t integer;
    double number; /* of an integer, too */
    brz_str text;
} marshal_value;

/* Offsets of values that others refer to. */
typedef struct marshal_list {
    size_t *items;
    size_t n, cap;
} marshal_list;

typedef struct marshal {
    brz_ctx *ctx; /* NULL while sniffing: nothing is stored */
    brz_bytes bytes;
    marshal_list values, texts;
    bool repeats; /* values are read that are on the lists */
} marshal;

/* Starts at the beginning of a file. `ctx` may be NULL for a file whose values refer to no others.
 */
void marshal_start(marshal *m, brz_ctx *ctx, const void *data, size_t len);

/* Takes an integer, a float or a text. Fails for others. */
bool marshal_take(marshal *m, marshal_value *v);

/* Opens a tuple. Fails unless it has `n` values. */
bool marshal_open_tuple(marshal *m, uint32_t n);

/* Takes a tuple of `n` values, or the number of an earlier tuple. */
bool marshal_take_tuple(marshal *m, marshal_value *values, uint32_t n);

/* Opens a dictionary. */
bool marshal_open_dictionary(marshal *m);

/* Returns whether the open dictionary has another key. Ends it if not. */
bool marshal_has_key(marshal *m);

/* Returns whether the next value is an integer. */
bool marshal_is_integer(const marshal *m);

#endif
