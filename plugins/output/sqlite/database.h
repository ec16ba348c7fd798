/* SPDX-License-Identifier: MIT */
/* An open database, and statements that add rows. The first failure is reported; later calls do
 * nothing and fail, so that a caller need check only the last one. */
#ifndef SQLITE_DATABASE_H
#define SQLITE_DATABASE_H

#include <brazier/output.h>
#include <sqlite3.h>

typedef struct database {
    sqlite3 *db;
    brz_output_ctx *ctx;
    const char *name; /* in messages; NULL: a scratch file */
    bool failed;
} database;

/* A statement that adds a row, or finds one. */
typedef struct statement {
    database *to;
    sqlite3_stmt *stmt;
    int n; /* number of values that are bound */
} statement;

/* Opens a file; `flags` are those of sqlite3_open_v2(). Returns false after reporting an error.
 * Close it in any case. */
bool database_open(database *d, brz_output_ctx *ctx, const char *path, const char *name, int flags);

/* Opens a file as the first step of database_open(). Returns the library's status. Reports nothing,
 * and so never ends the program for lack of memory. */
int database_connect(database *d, brz_output_ctx *ctx, const char *path, const char *name,
                     int flags);

/* Completes database_open(). Returns false after reporting an error if the status `rc` is one. */
bool database_is_open(database *d, int rc);

/* Closes the file, which ends a transaction that was not committed. */
void database_close(database *d);

/* Reports that the last call of the library failed, or that there is another problem. Returns
 * false. */
bool database_fail(database *d);
bool database_refuse(database *d, const char *what);

/* Runs statements without results. */
bool database_run(database *d, const char *sql);

/* Runs each statement of a list that ends with NULL. */
bool database_run_all(database *d, const char *const *sql);

/* Runs a statement with a number as its result, which `otherwise` stands for. */
int64_t database_number(database *d, const char *sql, int64_t otherwise);

/* Prepares a statement. Finish it in any case. */
statement statement_of(database *d, const char *sql);
void statement_finish(statement *s);

/* Bind the next value. Texts must stay until statement_add(). */
void put_number(statement *s, int64_t value);
void put_known(statement *s, bool known, int64_t value);        /* NULL unless it is known */
void put_decimal(statement *s, int64_t value, int64_t divisor); /* a whole number if it is one */
void put_text(statement *s, brz_str text);

/* Adds the row with the values that are bound. */
bool statement_add(statement *s);

/* Finds a row. Returns the number in its first column, or -1 without one. */
int64_t statement_find(statement *s);

#endif
