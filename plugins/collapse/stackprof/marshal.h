/* SPDX-License-Identifier: MIT */
/* Reads values of Ruby's Marshal format 4.8, as far as dumps of profilers have them.
 *
 *     value  := "0" | "T" | "F" | "i" number | "l" sign number bytes | "f" text
 *             | ":" text | ";" index of symbol | "\"" text | "[" number value*
 *             | "{" number (key value)* | "}" number (key value)* default
 *             | "I" value number (symbol value)* | "@" index of object
 *     number := one to five bytes
 *     text   := number bytes
 *
 * Symbols have numbers in the order in which they occur; objects, which are all values but symbols,
 * small integers, nil and booleans, have others. marshal_start() finds both in one pass. Only texts
 * may have attributes ("I"), so a count of the values that follow takes the place of recursion.
 */
#ifndef STACKPROF_MARSHAL_H
#define STACKPROF_MARSHAL_H

#include <brazier/binary.h>
#include <brazier/text.h>

typedef enum marshal_kind { MARSHAL_OTHER, MARSHAL_INTEGER, MARSHAL_TEXT } marshal_kind;

typedef struct marshal_value {
    marshal_kind kind;
    int64_t integer;
    brz_str text; /* of a string or symbol */
    size_t at;    /* offset of its first byte in the list, which may be that of a link */
} marshal_value;

typedef struct marshal {
    brz_ctx *ctx;
    brz_bytes bytes; /* the whole input; has the error of marshal_start(), if there is one */
    size_t *objects; /* offsets of objects */
    brz_str *symbols;
    size_t n_objects, n_symbols, objects_cap, symbols_cap;
} marshal;

/* A part of the input that is read: the values of a hash or an array. */
typedef struct marshal_list {
    const marshal *m;
    brz_bytes bytes;
    uint64_t left; /* values, two for each entry of a hash */
} marshal_list;

/* Finds the values of a dump whose value is a hash. Stores the offset of the value of each of `n`
 * symbols as keys in *values, or 0. The values before an error can be read. */
void marshal_start(marshal *m, brz_ctx *ctx, const void *data, size_t len, const char *const *keys,
                   size_t n, size_t *values);

/* Starts to read a hash or an array, by its `bracket`. Returns false for another value. */
bool marshal_open(const marshal *m, size_t offset, char bracket, marshal_list *list);

/* Reads the next value. Returns false at the end, and if what follows is missing. */
bool marshal_next(marshal_list *list, marshal_value *v);

/* Returns the value at an offset. */
marshal_value marshal_value_at(const marshal *m, size_t offset);

#endif
