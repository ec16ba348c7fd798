/* SPDX-License-Identifier: MIT */
/* Changes a database in place.
 *
 * The transaction has a rollback journal beside the file: if the process is killed, the next
 * program that opens the database undoes what was written. A run that fails removes the file that
 * it made, while no one else can write to it; who waited for that sees that the file is gone, and
 * begins again.
 */
#include "append.h"

#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "schema.h"

#define PAUSE_MS 20  /* between attempts to get a lock */
#define TRIES    100 /* files that other runs may remove meanwhile */

/* A database may come from anybody: it can neither run its own code in triggers and views nor write
 * to its own schema. */
static bool distrust(database *d)
{
    sqlite3_db_config(d->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(d->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(d->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    return database_run(d, "PRAGMA cell_size_check = ON;"
                           "PRAGMA cache_size = -16384");
}

/* Waits for a lock. Returns 0 if that took too long, or if the run is to stop. */
static int wait_for_lock(void *to, int tries)
{
    append *a = to;
    a->waited = tries == 0 ? 0 : a->waited + PAUSE_MS * INT64_C(1000000);
    if (a->waited >= a->wait || a->d.ctx->host->stopped(a->d.ctx))
        return 0;
    sqlite3_sleep(PAUSE_MS);
    return 1;
}

/* Opens the file and locks it for writing. */
static bool open_once(append *a, brz_output_ctx *ctx, const char *path)
{
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    a->made_file = access(path, F_OK) != 0;
    if (!database_open(&a->d, ctx, path, a->path, flags))
        return false;
    sqlite3_busy_handler(a->d.db, wait_for_lock, a);
    return distrust(&a->d) && database_run(&a->d, "BEGIN IMMEDIATE");
}

/* Returns whether the open file no longer has its name. */
static bool is_gone(append *a)
{
    int moved = 0;
    sqlite3_file_control(a->d.db, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    return moved != 0;
}

/* Writes a path so that the library takes it for nothing else, such as ":memory:". */
static bool plain_path(append *a, char to[PATH_MAX])
{
    int n = snprintf(to, PATH_MAX, "%s%s", a->path[0] == '/' ? "" : "./", a->path);
    return (n > 0 && n < PATH_MAX) || database_refuse(&a->d, "the name is too long");
}

bool append_open(append *a, brz_output_ctx *ctx, const char *path, int64_t wait)
{
    char plain[PATH_MAX];
    *a = (append){.d = {.ctx = ctx, .name = path}, .path = path, .wait = wait};
    if (!plain_path(a, plain))
        return false;
    for (int i = 0; i < TRIES; i++) {
        if (!open_once(a, ctx, plain))
            return false;
        if (!is_gone(a))
            break;
        database_close(&a->d);
    }
    schema_state state = a->d.db == NULL ? SCHEMA_OTHER : schema_examine(&a->d);
    a->is_new = state == SCHEMA_NONE;
    return state != SCHEMA_OTHER;
}

bool append_commit(append *a)
{
    bool good = database_run(&a->d, "COMMIT");
    a->made_file &= !good;
    return good;
}

/* Removes the file that this run made, if it is still empty. Without a journal on the disk: who
 * makes the file again may have one of that name already. */
static void remove_empty(append *a)
{
    char plain[PATH_MAX];
    struct stat st;
    if (a->d.db == NULL || !plain_path(a, plain) || is_gone(a))
        return;
    sqlite3_busy_handler(a->d.db, NULL, NULL);
    int rc =
        sqlite3_exec(a->d.db, "PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE", NULL, NULL, NULL);
    if (rc == SQLITE_OK && stat(plain, &st) == 0 && st.st_size == 0)
        unlink(plain);
}

void append_close(append *a)
{
    if (a->d.db != NULL && sqlite3_get_autocommit(a->d.db) == 0)
        sqlite3_exec(a->d.db, "ROLLBACK", NULL, NULL, NULL);
    if (a->made_file)
        remove_empty(a);
    database_close(&a->d);
}
