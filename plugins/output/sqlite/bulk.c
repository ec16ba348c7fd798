/* SPDX-License-Identifier: MIT */
/* Adds rows of numbers with statements of several rows. */
#include "bulk.h"

#include <stdio.h>

void bulk_init(bulk *b, database *to, const char *table, unsigned n_columns)
{
    b->to = to;
    b->table = table;
    b->stmt = NULL;
    b->n_columns = n_columns;
    b->n_rows = b->n = 0;
}

/* Prepares a statement that adds `n` rows: "INSERT INTO samples VALUES (?,?),(?,?)". */
static sqlite3_stmt *prepare(const bulk *b, unsigned n)
{
    char sql[64 + BULK_ROWS * (2 * BULK_COLUMNS + 2)];
    int at = snprintf(sql, 64, "INSERT INTO %s VALUES ", b->table);
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < b->n_columns; k++) {
            sql[at++] = k > 0 ? ',' : '(';
            sql[at++] = '?';
            if (k + 1 < b->n_columns)
                continue;
            sql[at++] = ')';
            sql[at++] = i + 1 < n ? ',' : '\0';
        }
    return statement_of(b->to, sql).stmt;
}

static void run(bulk *b, sqlite3_stmt *stmt)
{
    for (unsigned i = 0; i < b->n; i++)
        if (b->is_null[i])
            sqlite3_bind_null(stmt, (int)i + 1);
        else
            sqlite3_bind_int64(stmt, (int)i + 1, b->values[i]);
    if (!b->to->failed && sqlite3_step(stmt) != SQLITE_DONE)
        database_fail(b->to);
    sqlite3_reset(stmt);
}

void bulk_flush(bulk *b)
{
    bool is_full = b->n_rows == BULK_ROWS;
    sqlite3_stmt *stmt = is_full && b->stmt != NULL ? b->stmt : prepare(b, b->n_rows);
    run(b, stmt);
    if (is_full)
        b->stmt = stmt;
    else
        sqlite3_finalize(stmt);
    b->n_rows = b->n = 0;
}

bool bulk_finish(bulk *b)
{
    if (b->n_rows > 0)
        bulk_flush(b);
    sqlite3_finalize(b->stmt);
    return !b->to->failed;
}
