/* SPDX-License-Identifier: MIT */
/* Divides a profile into its tables.
 *
 * A profile is one message. Its tables are repeated fields, in any order: mappings, locations and
 * functions, which refer to each other by id, and texts, to which everything refers by position.
 */
#ifndef PPROF_TABLES_H
#define PPROF_TABLES_H

#include "../../common/pprof_fields.h"
#include "../../common/quick_fields.h"

#include <brazier/binary.h>

/* A list of messages or texts, in their order in the file. */
typedef struct table {
    brz_str *items;
    size_t n;
} table;

typedef struct tables {
    table of[PROFILE_N_FIELDS];         /* by field: messages and texts, except samples */
    uint64_t numbers[PROFILE_N_FIELDS]; /* by field: the last value of a number, or 0 */
    uint64_t *comments;                 /* positions of texts */
    size_t n_comments;
    brz_bytes samples;         /* the part of the input that has the samples */
    quick_run run;             /* the longest sequence of samples */
    bool has_texts, has_types; /* a first text, and a sample type after it, were read */
    const uint8_t *another;    /* the texts of a second profile in the input, or NULL */
    brz_ctx *ctx;
} tables;

/* Returns a cursor over a message in the input `data`, so that failures have a position. */
brz_bytes tables_message(brz_str message);

/* Reads the tables of a profile, which keep pointers into the input. Returns false after reporting
 * that the input is not a profile. */
bool tables_read(tables *t, brz_ctx *ctx, const uint8_t *data, size_t len);

/* Returns the text at a position, which is empty at 0. Warns at `at` and returns an empty text if
 * the table has no such position. */
brz_str tables_text(const tables *t, uint64_t position, const void *at);

/* A type of values and their unit. */
typedef struct value_type {
    brz_str name, unit;
} value_type;

/* Reads a message ValueType. */
value_type value_type_read(const tables *t, brz_str message);

#endif
