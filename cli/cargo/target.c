/* SPDX-License-Identifier: MIT */
/* Chooses the target of cargo to build.
 *
 * Without a name, the target is the only program of the current package, or the one that its
 * manifest calls default-run; outside of a package, that of the whole workspace. `cargo metadata`
 * lists the targets.
 */
#include "target.h"

#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "json_value.h"
#include "process.h"

/* A search through the packages of a workspace. */
typedef struct search {
    const compat_words *words;
    cargo_target *target;
    const char *wanted;   /* name of the target; NULL: any */
    const char *manifest; /* of the current package; NULL: all packages */
    size_t n_found;
    brz_buf found;              /* names for messages */
    bool has_package;           /* a package was searched */
    brz_suggestion near;        /* to the name of a package that does not exist */
    brz_suggestion target_near; /* likewise of a target */
} search;

const char *cargo_program(void)
{
    const char *named = getenv("CARGO");
    return named != NULL && *named != '\0' ? named : "cargo";
}

/* ---- cargo's answers ------------------------------------------------------------------------ */

/* Runs a command of cargo about the manifest. Returns false after reporting an error. */
static bool ask_cargo(const compat_words *w, command_words *c, brz_buf *answer)
{
    command_add_option(c, "--manifest-path", compat_noted_value(w, CARGO_MANIFEST_PATH));
    if (compat_noted_value(w, CARGO_VERBOSE) != NULL)
        command_say(c, w->console);
    int status = command_capture(c, answer, w->console);
    if (status > 0)
        brz_say(w->console, BRZ_FATAL, "cargo %s failed", c->list[1]);
    command_finish(c);
    return status == 0;
}

/* Finds the path of the current package's manifest, with a line break. */
static bool find_manifest(const compat_words *w, brz_buf *path)
{
    command_words c = {0};
    command_add(&c, cargo_program());
    command_add(&c, "locate-project");
    command_add(&c, "--message-format=plain");
    return ask_cargo(w, &c, path);
}

static bool list_packages(const compat_words *w, brz_buf *metadata)
{
    command_words c = {0};
    command_add(&c, cargo_program());
    command_add(&c, "metadata");
    command_add(&c, "--no-deps");
    command_add(&c, "--format-version=1");
    return ask_cargo(w, &c, metadata);
}

/* ---- targets -------------------------------------------------------------------------------- */

/* Compares names of targets: cargo shows those of libraries with _ for -. */
bool cargo_is_named(const json_value *name, const char *wanted)
{
    brz_buf b = {0};
    json_append(*name, &b);
    bool same = brz_buf_str(&b).len == strlen(wanted);
    for (size_t i = 0; same && wanted[i] != '\0'; i++) {
        char c = brz_buf_text(&b)[i];
        same = c == wanted[i] || (c == '_' && wanted[i] == '-') || (c == '-' && wanted[i] == '_');
    }
    brz_buf_finish(&b);
    return same;
}

bool cargo_is_library(const json_value *kinds)
{
    static const char *const names[] = {"lib",    "rlib",      "dylib",
                                        "cdylib", "staticlib", "proc-macro"};
    for (size_t i = 0; i < BRZ_COUNT_OF(names); i++)
        if (json_has(*kinds, names[i]))
            return true;
    return false;
}

static bool is_unit(const cargo_target *t)
{
    return t->how == CARGO_UNIT_TEST || t->how == CARGO_UNIT_BENCH;
}

/* Returns true if a target is of the wanted kind. */
static bool has_kind(const search *s, json_value target, bool *is_library)
{
    json_value kinds = json_member(target, "kind");
    const char *kind = compat_noted_value(s->words, CARGO_UNIT_TEST_KIND);
    *is_library = cargo_is_library(&kinds);
    if (!is_unit(s->target))
        return json_has(kinds, "bin");
    if (kind != NULL)
        return strcmp(kind, "lib") == 0 ? *is_library : json_has(kinds, "bin");
    return *is_library || json_has(kinds, "bin");
}

/* Returns true if a target may be the wanted one. */
static bool is_candidate(search *s, json_value target, bool *is_library)
{
    json_value name = json_member(target, "name");
    if (!has_kind(s, target, is_library))
        return false;
    brz_suggestion_offer(&s->target_near, json_keep(s->words->text, name));
    return s->wanted == NULL || cargo_is_named(&name, s->wanted);
}

static void take_target(search *s, json_value package, json_value target)
{
    bool is_library;
    if (!is_candidate(s, target, &is_library))
        return;
    if (s->n_found++ > 0)
        brz_buf_add_text(&s->found, ", ");
    json_append(json_member(target, "name"), &s->found);
    brz_buf_add_text(&s->found, is_library ? " (library of " : " (program of ");
    json_append(json_member(package, "name"), &s->found);
    brz_buf_add_char(&s->found, ')');
    if (s->n_found > 1)
        return;
    s->target->name = json_keep(s->words->text, json_member(target, "name"));
    s->target->package = json_keep(s->words->text, json_member(package, "name"));
    s->target->is_library = is_library;
}

/* Returns true if the search includes a package. */
static bool is_searched(const search *s, json_value package)
{
    const char *name = compat_noted_value(s->words, CARGO_PACKAGE);
    if (name != NULL)
        return json_is(json_member(package, "name"), name);
    return s->manifest == NULL || json_is(json_member(package, "manifest_path"), s->manifest);
}

static void take_package(search *s, json_value package)
{
    json_value target, preferred = json_member(package, "default_run");
    if (s->target->how == CARGO_BIN && preferred.kind == BRZ_JSON_STRING)
        s->wanted = json_keep(s->words->text, preferred);
    json_walk w = json_walk_of(json_member(package, "targets"));
    while (json_walk_next(&w, &target))
        take_target(s, package, target);
}

static void search_packages(search *s, json_value metadata)
{
    json_value package;
    json_walk w = json_walk_of(json_member(metadata, "packages"));
    while (json_walk_next(&w, &package)) {
        brz_suggestion_offer(&s->near, json_keep(s->words->text, json_member(package, "name")));
        if (!is_searched(s, package))
            continue;
        s->has_package = true;
        take_package(s, package);
    }
}

/* ---- the choice ----------------------------------------------------------------------------- */

/* Returns the options that choose among several targets. */
static const char *hint_of(const search *s)
{
    static const char *const hints[][2] = {
        {"--bin or -p", "--bin"},
        {"--unit-test NAME, --unit-test-kind or -p", "--unit-test NAME or --unit-test-kind"},
        {"--unit-bench NAME, --unit-test-kind or -p", "--unit-bench NAME or --unit-test-kind"}};
    const cargo_target *t = s->target;
    size_t row = t->how == CARGO_UNIT_BENCH ? 2 : is_unit(t);
    return hints[row][compat_noted_value(s->words, CARGO_PACKAGE) != NULL];
}

/* Reports that the package that an option names does not exist. */
static void refuse_package(const search *s)
{
    brz_buf b = {0};
    brz_buf_printf(&b, "no package '%s' in this workspace", s->target->package);
    brz_suggestion_add(&s->near, &b);
    brz_say(s->words->console, BRZ_FATAL, "%s", brz_buf_text(&b));
    brz_buf_finish(&b);
}

/* Reports that no target with unit tests has the name that an option gives. */
static void refuse_unit(const search *s)
{
    const char *kind = compat_noted_value(s->words, CARGO_UNIT_TEST_KIND);
    const char *what = kind == NULL               ? "library or program"
                       : strcmp(kind, "lib") == 0 ? "library"
                                                  : "program";
    brz_buf b = {0};
    brz_buf_printf(&b, "no %s '%s' in this workspace", what, s->wanted);
    brz_suggestion_add(&s->target_near, &b);
    brz_say(s->words->console, BRZ_FATAL, "%s", brz_buf_text(&b));
    brz_buf_finish(&b);
}

static bool report(const search *s)
{
    brz_console *console = s->words->console;
    if (s->n_found == 0 && s->target->package != NULL && !s->has_package)
        refuse_package(s);
    else if (s->n_found == 0 && is_unit(s->target) && s->wanted != NULL)
        refuse_unit(s);
    else if (s->n_found == 0)
        brz_say(console, BRZ_FATAL,
                "there is no program to run here: name a target, such as --example NAME or --bench "
                "NAME");
    else if (s->n_found > 1)
        brz_say(console, BRZ_FATAL, "name one of several targets with %s: %s", hint_of(s),
                brz_buf_text(&s->found));
    else
        brz_say(console, BRZ_NOTE, "the target is %s", brz_buf_text(&s->found));
    return s->n_found == 1;
}

/* Finds the only target among the packages. */
static bool find_only(cargo_target *t, const compat_words *w)
{
    const char *package = t->package != NULL ? t->package : "",
               *name = t->name != NULL ? t->name : "";
    search s = {.words = w,
                .target = t,
                .wanted = t->name,
                .near.typed = brz_str_of_text(package),
                .target_near.typed = brz_str_of_text(name)};
    brz_buf manifest = {0}, metadata = {0};
    bool good = find_manifest(w, &manifest) && list_packages(w, &metadata);
    if (good) {
        json_value all = json_value_of(brz_buf_str(&metadata));
        brz_str path = brz_buf_str(&manifest);
        path.len -= path.len > 0 && path.data[path.len - 1] == '\n';
        s.manifest = brz_arena_str(w->text, path).data;
        search_packages(&s, all);
        if (s.n_found == 0) {
            s.manifest = NULL;
            search_packages(&s, all);
        }
        good = report(&s);
    }
    brz_buf_finish(&s.found);
    brz_buf_finish(&manifest);
    brz_buf_finish(&metadata);
    return good;
}

/* Reads the options that name a target. */
static void read_options(cargo_target *t, const compat_words *w)
{
    *t = (cargo_target){.how = CARGO_BIN, .package = compat_noted_value(w, CARGO_PACKAGE)};
    for (cargo_note how = CARGO_BIN; how <= CARGO_UNIT_BENCH; how++) {
        const char *name = compat_noted_value(w, (int)how);
        if (how == CARGO_UNIT_TEST_KIND || name == NULL)
            continue;
        t->how = how;
        t->name = *name != '\0' ? name : NULL;
    }
}

bool cargo_target_find(cargo_target *t, const compat_words *w)
{
    const char *kind = compat_noted_value(w, CARGO_UNIT_TEST_KIND);
    if (kind != NULL && strcmp(kind, "lib") != 0 && strcmp(kind, "bin") != 0) {
        brz_say(w->console, BRZ_FATAL, "--unit-test-kind takes lib or bin, not '%s'", kind);
        return false;
    }
    read_options(t, w);
    return (t->name != NULL && !is_unit(t)) || find_only(t, w);
}
