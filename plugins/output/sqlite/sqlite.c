/* SPDX-License-Identifier: MIT */
/* Writes the output "sqlite": a database of profiles for SQLite, DuckDB and pandas. */
#include <brazier/draft/update.h>

#include <string.h>

#include "../../common/shipped.h"
#include "append.h"
#include "schema.h"
#include "scratch.h"
#include "tables.h"

typedef struct options {
    profile_options profile;
    bool append;
    int64_t wait;
} options;

/* Adds a profile to a database, which has tables unless it is new. */
static bool add(database *d, const brz_tree *tree, const options *o, bool is_new)
{
    if (!is_new)
        return tables_add_profile(d, tree, &o->profile, false);
    return schema_create(d) && tables_add_profile(d, tree, &o->profile, true) && schema_complete(d);
}

static brz_rc write_sqlite(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    scratch s;
    const options *o = ctx->cfg;
    if (o->append) {
        brz_output_report(ctx, BRZ_FATAL, "output.sqlite",
                          BRZ_STR("this program cannot add to a database"));
        return BRZ_ERROR;
    }
    bool good = scratch_open(&s, ctx) && database_run(&s.d, "BEGIN") && add(&s.d, tree, o, true) &&
                database_run(&s.d, "COMMIT");
    brz_rc rc = good ? scratch_copy(&s, sink) : BRZ_ERROR;
    scratch_close(&s);
    return rc;
}

/* Implements brz_updater.update. */
static brz_rc append_sqlite(brz_output_ctx *ctx, const brz_tree *tree, const char *path)
{
    append a;
    const options *o = ctx->cfg;
    bool good =
        append_open(&a, ctx, path, o->wait) && add(&a.d, tree, o, a.is_new) && append_commit(&a);
    append_close(&a);
    return good ? BRZ_OK : BRZ_ERROR;
}

static bool wants_append(const void *cfg)
{
    return ((const options *)cfg)->append;
}

/* Endings of files whose changes SQLite would apply to a database with the same name. */
static const char *const companions[] = {"-journal", "-wal", NULL};

static const brz_updater updater = {
    .struct_size = sizeof updater,
    .companions = companions,
    .is_wanted = wants_append,
    .update = append_sqlite,
};

/* Implements brz_output.offer. */
static const void *offer(const char *id)
{
    return strcmp(id, BRZ_UPDATE_ID) == 0 ? &updater : NULL;
}

static const brz_option option_table[] = {
    BRZ_OPTION(options, "append", BOOL, append, "false",
               "add the profile to the database if the file exists, instead of replacing it"),
    BRZ_OPTION(options, "name", STR, profile.name, "", "name of the profile"),
    BRZ_OPTION(options, "host", STR, profile.host, "",
               "name of the machine, instead of the one that the input states"),
    BRZ_OPTION(options, "samples", BOOL, profile.samples, "true",
               "store samples with their times, threads and labels, not only their sums"),
    BRZ_OPTION(options, "wait", DURATION, wait, "60s",
               "how long --append waits for other programs that use the database",
               .range = "0s..86400s"),
};

static const char *const endings[] = {"sqlite", "sqlite3", NULL};

static const brz_output output = {
    .struct_size = sizeof output,
    .flags = BRZ_OUTPUT_STACKS | BRZ_OUTPUT_FRAMES | BRZ_OUTPUT_FUNCTIONS | BRZ_OUTPUT_TIME,
    .media_type = "application/vnd.sqlite3",
    .endings = endings,
    .write = write_sqlite,
    .offer = offer,
};

SHIPPED_PLUGIN("sqlite", BRZ_OUTPUT, &output,
               .summary = "a database of profiles, for SQLite, DuckDB and pandas",
               BRZ_OPTIONS(option_table, options))
