/* SPDX-License-Identifier: MIT */
/* Changes a database in place, in one transaction. */
#ifndef SQLITE_APPEND_H
#define SQLITE_APPEND_H

#include "database.h"

/* A database that is open for a transaction which nobody else's can overlap. */
typedef struct append {
    database d;
    const char *path;
    int64_t wait;   /* nanoseconds to wait for other programs */
    int64_t waited; /* for the current lock */
    bool made_file; /* the file did not exist */
    bool is_new;    /* nothing is in it yet */
} append;

/* Opens a database of profiles, or creates the file, and begins a transaction. Returns false after
 * reporting an error. Close it in any case. */
bool append_open(append *a, brz_output_ctx *ctx, const char *path, int64_t wait);

/* Makes the changes permanent. Returns false after reporting an error. */
bool append_commit(append *a);

/* Closes the database. If the changes were not committed, it is as it was. */
void append_close(append *a);

#endif
