/* SPDX-License-Identifier: MIT */
/* Checks databases: SQLite finds no damage, and the sums of each weight are its total in the
 * profile. */
#include "fuzz.h"
#include "output.h"

#include <sqlite3.h>
#include <string.h>

/* Opens the bytes of a database. */
static sqlite3 *open_bytes(brz_str bytes)
{
    sqlite3 *db = NULL;
    unsigned char *copy = sqlite3_malloc64(bytes.len + 1);
    FUZZ_REQUIRE(sqlite3_open(":memory:", &db) == SQLITE_OK && copy != NULL, "no memory");
    memcpy(copy, bytes.data, bytes.len);
    int rc = sqlite3_deserialize(db, "main", copy, (sqlite3_int64)bytes.len,
                                 (sqlite3_int64)bytes.len, SQLITE_DESERIALIZE_FREEONCLOSE);
    FUZZ_REQUIRE(rc == SQLITE_OK, "not a database");
    return db;
}

/* Requires that a query has no rows. */
static void require_none(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *stmt = NULL;
    FUZZ_REQUIRE(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK, "%s: %s", sql,
                 sqlite3_errmsg(db));
    int rc = sqlite3_step(stmt);
    FUZZ_REQUIRE(rc == SQLITE_DONE, "%s: %s", sql,
                 rc == SQLITE_ROW ? (const char *)sqlite3_column_text(stmt, 0)
                                  : sqlite3_errmsg(db));
    sqlite3_finalize(stmt);
}

static void check_sums(sqlite3 *db)
{
    require_none(db,
                 "SELECT w.name FROM weights AS w WHERE total <> (SELECT coalesce(sum(self), 0) "
                 "FROM stack_weights AS v WHERE v.weight_id = w.weight_id)");
    require_none(db, "SELECT w.name FROM weights AS w JOIN stack_weights AS v USING (weight_id) "
                     "WHERE v.stack_id = 0 AND v.total <> w.total");
    require_none(db, "SELECT w.name FROM weights AS w JOIN samples AS s USING (weight_id) "
                     "GROUP BY weight_id HAVING sum(s.value) <> w.total");
    require_none(db, "SELECT path FROM flame WHERE (SELECT max(depth) FROM stacks) < 100 "
                     "GROUP BY weight_id, path HAVING count(*) > 1");
}

void fuzz_check_output(const fuzz_written *w)
{
    sqlite3 *db = open_bytes(w->bytes);
    require_none(db, "SELECT * FROM pragma_integrity_check WHERE integrity_check <> 'ok'");
    require_none(db, "SELECT \"table\" FROM pragma_foreign_key_check");
    require_none(db,
                 "SELECT s.stack_id FROM stacks AS s JOIN stacks AS p ON p.stack_id = s.parent_id "
                 "WHERE s.depth <> p.depth + 1");
    if (!w->saturated)
        check_sums(db);
    sqlite3_close(db);
}
