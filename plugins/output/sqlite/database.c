/* SPDX-License-Identifier: MIT */
/* Wraps the calls of SQLite's library. */
#include "database.h"

#include <stdio.h>
#include <string.h>

static void say(database *d, const char *what)
{
    char text[512];
    int n = snprintf(text, sizeof text, "%s%s%s", d->name == NULL ? "" : d->name,
                     d->name == NULL ? "" : ": ", what);
    size_t len = n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
    if (!d->failed)
        brz_output_report(d->ctx, BRZ_FATAL, "output.sqlite", brz_str_of(text, len));
    d->failed = true;
}

bool database_refuse(database *d, const char *what)
{
    say(d, what);
    return false;
}

bool database_fail(database *d)
{
    char text[400];
    switch (sqlite3_errcode(d->db) & 0xff) {
    case SQLITE_NOTADB:
        return database_refuse(d, "it is not a database; write to another file");
    case SQLITE_BUSY:
        return database_refuse(d, "another program uses it, and did not finish in time (--wait)");
    }
    snprintf(text, sizeof text, "the %s cannot be written: %s",
             d->name == NULL ? "scratch file of the database" : "database", sqlite3_errmsg(d->db));
    return database_refuse(d, text);
}

int database_connect(database *d, brz_output_ctx *ctx, const char *path, const char *name,
                     int flags)
{
    *d = (database){.ctx = ctx, .name = name};
    return sqlite3_open_v2(path, &d->db, flags | SQLITE_OPEN_NOMUTEX, NULL);
}

bool database_is_open(database *d, int rc)
{
    if (d->db == NULL)
        return database_refuse(d, "there is no memory for a database");
    sqlite3_extended_result_codes(d->db, 1);
    return rc == SQLITE_OK || database_fail(d);
}

bool database_open(database *d, brz_output_ctx *ctx, const char *path, const char *name, int flags)
{
    return database_is_open(d, database_connect(d, ctx, path, name, flags));
}

void database_close(database *d)
{
    sqlite3_close(d->db);
    d->db = NULL;
}

bool database_run(database *d, const char *sql)
{
    if (!d->failed && sqlite3_exec(d->db, sql, NULL, NULL, NULL) != SQLITE_OK)
        database_fail(d);
    return !d->failed;
}

bool database_run_all(database *d, const char *const *sql)
{
    for (; *sql != NULL; sql++)
        if (!database_run(d, *sql))
            return false;
    return true;
}

int64_t database_number(database *d, const char *sql, int64_t otherwise)
{
    statement s = statement_of(d, sql);
    int64_t number = otherwise;
    int rc = d->failed ? SQLITE_DONE : sqlite3_step(s.stmt);
    if (rc == SQLITE_ROW && sqlite3_column_type(s.stmt, 0) == SQLITE_INTEGER)
        number = sqlite3_column_int64(s.stmt, 0);
    else if (rc != SQLITE_ROW && rc != SQLITE_DONE)
        database_fail(d);
    statement_finish(&s);
    return number;
}

statement statement_of(database *d, const char *sql)
{
    statement s = {.to = d};
    if (!d->failed &&
        sqlite3_prepare_v3(d->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &s.stmt, NULL) != SQLITE_OK)
        database_fail(d);
    return s;
}

void statement_finish(statement *s)
{
    sqlite3_finalize(s->stmt);
    s->stmt = NULL;
}

void put_number(statement *s, int64_t value)
{
    sqlite3_bind_int64(s->stmt, ++s->n, value);
}

void put_known(statement *s, bool known, int64_t value)
{
    s->n++;
    if (known)
        sqlite3_bind_int64(s->stmt, s->n, value);
    else
        sqlite3_bind_null(s->stmt, s->n);
}

void put_decimal(statement *s, int64_t value, int64_t divisor)
{
    if (divisor == 1)
        put_number(s, value);
    else
        sqlite3_bind_double(s->stmt, ++s->n, (double)value / (double)divisor);
}

void put_text(statement *s, brz_str text)
{
    const char *data = text.len > 0 ? text.data : "";
    if (sqlite3_bind_text64(s->stmt, ++s->n, data, text.len, SQLITE_STATIC, SQLITE_UTF8) !=
            SQLITE_OK &&
        !s->to->failed)
        database_fail(s->to);
}

bool statement_add(statement *s)
{
    s->n = 0;
    if (s->to->failed)
        return false;
    if (sqlite3_step(s->stmt) != SQLITE_DONE)
        database_fail(s->to);
    sqlite3_reset(s->stmt);
    return !s->to->failed;
}

int64_t statement_find(statement *s)
{
    s->n = 0;
    if (s->to->failed)
        return -1;
    int rc = sqlite3_step(s->stmt);
    int64_t found = rc == SQLITE_ROW ? sqlite3_column_int64(s->stmt, 0) : -1;
    if (rc != SQLITE_ROW && rc != SQLITE_DONE)
        database_fail(s->to);
    sqlite3_reset(s->stmt);
    return found;
}
