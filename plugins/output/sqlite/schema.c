/* SPDX-License-Identifier: MIT */
/* Defines the schema.
 *
 * Frames and stacks are shared by all profiles of a database: a profile adds only those that no
 * earlier one has. Stack 0 is the root, which has no frame. Weights belong to a profile, so what
 * refers to a weight refers to its profile, too. Values are whole numbers, which sums keep exact;
 * views divide them by the divisor of the weight.
 */
#include "schema.h"

#include <string.h>

/* Mark a database as one of brazier's: "brzp" in PRAGMA application_id, and the version of the
 * schema in PRAGMA user_version. */
#define APPLICATION_ID 0x62727a70
#define VERSION        1

static const char *const tables[] = {
    "CREATE TABLE profiles(\n"
    "  profile_id INTEGER PRIMARY KEY,\n"
    "  name TEXT NOT NULL,\n"
    "  host TEXT NOT NULL,\n"
    "  command TEXT NOT NULL,\n"
    "  producer TEXT NOT NULL,\n"
    "  architecture TEXT NOT NULL,\n"
    "  start INTEGER,\n"
    "  clock_start INTEGER,\n"
    "  duration INTEGER,\n"
    "  period INTEGER,\n"
    "  period_name TEXT NOT NULL,\n"
    "  period_unit TEXT NOT NULL)",
    "CREATE TABLE facts(\n"
    "  profile_id INTEGER NOT NULL REFERENCES profiles,\n"
    "  number INTEGER NOT NULL,\n"
    "  key TEXT NOT NULL,\n"
    "  value TEXT NOT NULL,\n"
    "  PRIMARY KEY (profile_id, number)) WITHOUT ROWID",
    "CREATE TABLE weights(\n"
    "  weight_id INTEGER PRIMARY KEY,\n"
    "  profile_id INTEGER NOT NULL REFERENCES profiles,\n"
    "  name TEXT NOT NULL,\n"
    "  unit TEXT NOT NULL,\n"
    "  divisor INTEGER NOT NULL,\n"
    "  is_main INTEGER NOT NULL,\n"
    "  total INTEGER NOT NULL)",
    "CREATE TABLE frames(\n"
    "  frame_id INTEGER PRIMARY KEY,\n"
    "  name TEXT NOT NULL,\n"
    "  module TEXT NOT NULL,\n"
    "  file TEXT NOT NULL,\n"
    "  line INTEGER NOT NULL,\n"
    "  first_line INTEGER NOT NULL,\n"
    "  kind TEXT NOT NULL,\n"
    "  is_inlined INTEGER NOT NULL,\n"
    "  is_jit INTEGER NOT NULL,\n"
    "  is_waker INTEGER NOT NULL,\n"
    "  UNIQUE (name, module, file, line, first_line, kind, is_inlined, is_jit, is_waker))",
    "CREATE TABLE stacks(\n"
    "  stack_id INTEGER PRIMARY KEY,\n"
    "  parent_id INTEGER REFERENCES stacks,\n"
    "  frame_id INTEGER REFERENCES frames,\n"
    "  depth INTEGER NOT NULL,\n"
    "  is_recursive INTEGER NOT NULL)",
    "CREATE TABLE stack_weights(\n"
    "  weight_id INTEGER NOT NULL REFERENCES weights,\n"
    "  stack_id INTEGER NOT NULL REFERENCES stacks,\n"
    "  self INTEGER NOT NULL,\n"
    "  total INTEGER NOT NULL,\n"
    "  PRIMARY KEY (weight_id, stack_id)) WITHOUT ROWID",
    "CREATE TABLE tags(\n"
    "  tag_id INTEGER PRIMARY KEY,\n"
    "  profile_id INTEGER NOT NULL REFERENCES profiles,\n"
    "  process INTEGER,\n"
    "  process_name TEXT NOT NULL,\n"
    "  thread INTEGER,\n"
    "  thread_name TEXT NOT NULL,\n"
    "  processor INTEGER)",
    "CREATE TABLE labels(\n"
    "  tag_id INTEGER NOT NULL REFERENCES tags,\n"
    "  number INTEGER NOT NULL,\n"
    "  key TEXT NOT NULL,\n"
    "  value NOT NULL,\n"
    "  unit TEXT NOT NULL,\n"
    "  PRIMARY KEY (tag_id, number)) WITHOUT ROWID",
    "CREATE TABLE samples(\n"
    "  weight_id INTEGER NOT NULL REFERENCES weights,\n"
    "  number INTEGER NOT NULL,\n"
    "  stack_id INTEGER NOT NULL REFERENCES stacks,\n"
    "  tag_id INTEGER REFERENCES tags,\n"
    "  time INTEGER,\n"
    "  value INTEGER NOT NULL,\n"
    "  PRIMARY KEY (weight_id, number)) WITHOUT ROWID",
    NULL,
};

static const char *const indices[] = {
    "CREATE UNIQUE INDEX stacks_by_parent ON stacks(parent_id, frame_id)",
    "CREATE INDEX stacks_by_frame ON stacks(frame_id)",
    "CREATE INDEX stack_weights_by_stack ON stack_weights(stack_id)",
    "CREATE INDEX weights_by_profile ON weights(profile_id)",
    "CREATE INDEX tags_by_profile ON tags(profile_id)",
    NULL,
};

/* Divides a value by the divisor of its weight: whole numbers stay whole. */
#define IN_UNIT(value) "CASE w.divisor WHEN 1 THEN " value " ELSE 1.0 * " value " / w.divisor END"

/* The columns with which each view begins. */
#define OF_WEIGHT "w.profile_id, w.weight_id, w.name AS weight, w.unit"

/* A share of the total of its weight. */
#define SHARE(value) "1.0 * " value " / nullif(w.total, 0)"

static const char *const views[] = {
    "CREATE VIEW paths AS\n"
    "WITH RECURSIVE below(stack_id, path) AS (\n"
    "  SELECT stack_id, '' FROM stacks WHERE stack_id = 0\n"
    "  UNION ALL\n"
    "  SELECT s.stack_id, CASE s.parent_id WHEN 0 THEN '' ELSE b.path || ';' END\n"
    "    || replace(f.name, ';', ':')\n"
    "  FROM below AS b JOIN stacks AS s ON s.parent_id = b.stack_id JOIN frames AS f USING "
    "(frame_id))\n"
    "SELECT stack_id, path FROM below",
    "CREATE VIEW flame AS\n"
    "SELECT " OF_WEIGHT ", p.path,\n"
    "  " IN_UNIT(
        "sum(v.total)") " AS total,\n"
                        "  " IN_UNIT(
                            "sum(v.self)") " AS self\n"
                                           "FROM stack_weights AS v JOIN weights AS w USING "
                                           "(weight_id) JOIN paths AS p USING (stack_id)\n"
                                           "GROUP BY w.weight_id, p.path",
    "CREATE VIEW self AS\n"
    "SELECT " OF_WEIGHT ", f.name,\n"
    "  " IN_UNIT("sum(v.self)") " AS value, " SHARE(
        "sum(v.self)") " AS share\n"
                       "FROM stack_weights AS v JOIN weights AS w USING (weight_id)\n"
                       "  JOIN stacks AS s USING (stack_id) JOIN frames AS f USING (frame_id)\n"
                       "WHERE v.self <> 0\n"
                       "GROUP BY w.weight_id, f.name",
    "CREATE VIEW total AS\n"
    "SELECT " OF_WEIGHT ", f.name,\n"
    "  " IN_UNIT("sum(v.total)") " AS value, " SHARE(
        "sum(v.total)") " AS share\n"
                        "FROM stack_weights AS v JOIN weights AS w USING (weight_id)\n"
                        "  JOIN stacks AS s USING (stack_id) JOIN frames AS f USING (frame_id)\n"
                        "WHERE NOT s.is_recursive\n"
                        "GROUP BY w.weight_id, f.name",
    NULL,
};

#define TEXT_OF(number)  TEXT_OF_(number)
#define TEXT_OF_(number) #number

static const char marks[] = "PRAGMA application_id = " TEXT_OF(
    APPLICATION_ID) ";"
                    "PRAGMA user_version = " TEXT_OF(VERSION) ";";

bool schema_create(database *d)
{
    return database_run(d, marks) && database_run_all(d, tables);
}

bool schema_complete(database *d)
{
    return database_run_all(d, indices) && database_run_all(d, views);
}

/* Returns whether the database has each of these objects as this version creates it. */
static bool has_all(database *d, const char *const *objects)
{
    statement find = statement_of(d, "SELECT count(*) FROM sqlite_master WHERE sql = ?");
    int64_t n = 1;
    for (; *objects != NULL && n == 1; objects++) {
        put_text(&find, brz_str_of(*objects, strlen(*objects)));
        n = statement_find(&find);
    }
    statement_finish(&find);
    return n == 1;
}

schema_state schema_examine(database *d)
{
    int64_t n = database_number(d, "SELECT count(*) FROM sqlite_master", -1);
    int64_t id = database_number(d, "PRAGMA application_id", -1);
    int64_t version = database_number(d, "PRAGMA user_version", -1);
    if (d->failed)
        return SCHEMA_OTHER;
    if (n == 0 && id == 0 && version == 0)
        return SCHEMA_NONE;
    if (id != APPLICATION_ID)
        database_refuse(d, "it is the database of another program; write to another file");
    else if (version != VERSION)
        database_refuse(d, "another version of brazier made its tables; write to another file");
    else if (has_all(d, tables) && has_all(d, indices))
        return SCHEMA_OURS;
    else
        database_refuse(d, "its tables were changed; write to another file");
    return SCHEMA_OTHER;
}
