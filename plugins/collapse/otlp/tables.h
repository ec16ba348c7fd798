/* SPDX-License-Identifier: MIT */
/* Collects the tables to which samples refer by position.
 *
 * Position 0 of a table is an empty entry in recent versions, and an entry like others before.
 */
#ifndef OTLP_TABLES_H
#define OTLP_TABLES_H

#include "fields.h"

/* A list of messages or texts, which are parts of the input; texts of JSON may be copies. */
typedef struct table {
    brz_str *items;
    size_t n, cap;
} table;

typedef struct tables {
    const document *document;
    table of[N_TABLES];
} tables;

/* Adds an entry to a list that is initially zeroed. */
void table_add(table *t, brz_ctx *ctx, brz_str entry);

void tables_init(tables *t, const document *d);

/* Adds the value that was read if its member is a table. Returns whether it is one. */
bool tables_take(tables *t, const fields *f);

/* Adds the tables of a message: a dictionary, a profile or the data. */
void tables_collect(tables *t, const schema *s, brz_str message);

/* Starts to read the entry of a table at a position. Warns at `at` and returns false if the table
 * does not have it. */
bool tables_entry(const tables *t, size_t which, int64_t position, const void *at, const schema *s,
                  fields *f);

/* Returns the text at a position. If the table is shorter, warns at `at` and returns an empty text.
 */
brz_str tables_text(const tables *t, int64_t position, const void *at);

/* A type of values and their unit. */
typedef struct value_type {
    brz_str name, unit;
    int64_t index; /* of the name */
} value_type;

/* Reads a message ValueType. */
value_type tables_value_type(const tables *t, brz_str message);

#endif
