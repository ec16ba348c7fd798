/* SPDX-License-Identifier: MIT */
/* Adds a profile to a database. */
#ifndef SQLITE_TABLES_H
#define SQLITE_TABLES_H

#include "database.h"

/* Options of the output that apply to a profile. */
typedef struct profile_options {
    brz_str name; /* of the profile; empty: none */
    brz_str host; /* empty: the one that the input states */
    bool samples; /* samples are stored, not only their sums */
} profile_options;

/* Adds the rows of a profile within the open transaction. `is_new` tells that the database has no
 * rows yet, and no indices. Returns false after reporting an error, or if the run is to stop. */
bool tables_add_profile(database *d, const brz_tree *tree, const profile_options *o, bool is_new);

#endif
