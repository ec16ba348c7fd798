/* SPDX-License-Identifier: MIT */
/* The tables, indices and views of a database of profiles. docs/tables.md documents them. */
#ifndef SQLITE_SCHEMA_H
#define SQLITE_SCHEMA_H

#include "database.h"

/* The contents of a file. */
typedef enum schema_state {
    SCHEMA_NONE,  /* nothing */
    SCHEMA_OURS,  /* the schema of this version */
    SCHEMA_OTHER, /* anything else, which was reported; or a failure */
} schema_state;

/* Examines a database. */
schema_state schema_examine(database *d);

/* Creates the tables in an empty database. Returns false after reporting an error. */
bool schema_create(database *d);

/* Creates indices and views when the first profile has its rows: indices of complete tables are
 * made faster than those that each row changes. */
bool schema_complete(database *d);

#endif
