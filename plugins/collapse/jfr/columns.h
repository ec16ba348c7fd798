/* SPDX-License-Identifier: MIT */
/* Defines the columns of a profile: what the events of a recording count.
 *
 * Events that profilers write to sample something have columns of their own, in a fixed order. Any
 * other event with a stack trace counts in a column that is named after it.
 */
#ifndef JFR_COLUMNS_H
#define JFR_COLUMNS_H

#include "objects.h"

/* The most columns of other events. */
#define MAX_OTHERS 200

/* A column of an event that has none of its own. */
typedef struct other_column {
    brz_str name;
    bool is_span; /* of its durations, rather than of its number */
    uint32_t index;
} other_column;

typedef struct columns {
    brz_ctx *ctx;
    uint64_t wanted; /* bits of the rules that have events */
    bool is_wall;    /* execution samples were taken of all threads, running or not */
    bool is_full;    /* events of a type were left out because there are too many types */
    other_column others[MAX_OTHERS];
    size_t n_others;
    uint32_t index[64]; /* by rule: column in the host */
} columns;

/* Finds out which columns the events of a chunk need; call it for all chunks first. */
void columns_collect(columns *k, chunk *c);

/* Declares the columns to the host. */
void columns_declare(columns *k);

/* Sets the columns of the types of a chunk. */
void columns_connect(const columns *k, chunk *c);

/* Returns whether events of a type are samples, which count even without a stack trace. */
bool columns_is_sample(const record_type *t);

/* Returns the value that an event adds to one of its columns. */
int64_t columns_value(const type_column *to, chunk *c, const object *event);

#endif
