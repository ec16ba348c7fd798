/* SPDX-License-Identifier: MIT */
/* Builds a target with cargo, which lists its results as lines of JSON. */
#include "build.h"

#include <ctype.h>
#include <string.h>

#include "json_value.h"
#include "process.h"

/* ---- the command ---------------------------------------------------------------------------- */

static bool is_bench(const cargo_target *t)
{
    return t->how == CARGO_BENCH || t->how == CARGO_UNIT_BENCH;
}

/* Adds the command and the profile. `cargo bench` has a profile of its own, and so no --release. */
static void add_command(command_words *c, const cargo_target *t, const compat_words *w)
{
    bool dev = compat_noted_value(w, CARGO_DEV) != NULL;
    bool tests =
        t->how == CARGO_TEST || t->how == CARGO_UNIT_TEST || (dev && t->how == CARGO_UNIT_BENCH);
    const char *profile = compat_noted_value(w, CARGO_PROFILE);
    bool bench = is_bench(t) && !dev;
    command_add(c, cargo_program());
    command_add(c, bench ? "bench" : tests ? "test" : "build");
    if (bench || tests)
        command_add(c, "--no-run");
    command_add_option(c, "--profile", profile);
    if (!dev && !bench && profile == NULL)
        command_add(c, "--release");
}

static void add_target(command_words *c, const cargo_target *t)
{
    command_add_option(c, "--package", t->package);
    if (t->is_library)
        command_add(c, "--lib");
    else
        command_add_option(c,
                           t->how == CARGO_EXAMPLE ? "--example"
                           : t->how == CARGO_TEST  ? "--test"
                           : t->how == CARGO_BENCH ? "--bench"
                                                   : "--bin",
                           t->name);
}

static void add_features(command_words *c, const compat_words *w)
{
    for (size_t i = 0; i < w->n_noted; i++)
        if (w->noted[i].note == CARGO_FEATURES)
            command_add_option(c, "--features", w->noted[i].value);
    if (compat_noted_value(w, CARGO_NO_DEFAULT_FEATURES) != NULL)
        command_add(c, "--no-default-features");
    if (compat_noted_value(w, CARGO_ALL_FEATURES) != NULL)
        command_add(c, "--all-features");
}

static bool run_cargo(const cargo_target *t, const compat_words *w, brz_buf *messages)
{
    command_words c = {0};
    add_command(&c, t, w);
    add_target(&c, t);
    add_features(&c, w);
    command_add_option(&c, "--manifest-path", compat_noted_value(w, CARGO_MANIFEST_PATH));
    command_add_option(&c, "--target", compat_noted_value(w, CARGO_TARGET));
    command_add(&c, "--message-format=json-render-diagnostics");
    if (compat_noted_value(w, CARGO_VERBOSE) != NULL)
        command_say(&c, w->console);
    int status = command_capture(&c, messages, w->console);
    if (status > 0)
        brz_say(w->console, BRZ_FATAL, "cargo %s failed with status %d", c.list[1], status);
    command_finish(&c);
    return status == 0;
}

/* ---- what was built ------------------------------------------------------------------------- */

static bool has_kind(const cargo_target *t, json_value kinds)
{
    if (t->how == CARGO_UNIT_TEST || t->how == CARGO_UNIT_BENCH)
        return t->is_library ? cargo_is_library(&kinds) : json_has(kinds, "bin");
    return json_has(kinds, t->how == CARGO_EXAMPLE ? "example"
                           : t->how == CARGO_TEST  ? "test"
                           : t->how == CARGO_BENCH ? "bench"
                                                   : "bin");
}

/* Returns true if a message describes the program of the target. A program's unit tests have its
 * name and kind. */
static bool is_wanted(const cargo_target *t, json_value message)
{
    json_value target = json_member(message, "target"), name = json_member(target, "name");
    bool is_test = json_member(json_member(message, "profile"), "test").kind == BRZ_JSON_TRUE;
    bool unit = t->how == CARGO_UNIT_TEST || t->how == CARGO_UNIT_BENCH;
    return json_is(json_member(message, "reason"), "compiler-artifact") &&
           json_member(message, "executable").kind == BRZ_JSON_STRING &&
           has_kind(t, json_member(target, "kind")) && cargo_is_named(&name, t->name) &&
           (t->how == CARGO_BIN ? !is_test : !unit || is_test);
}

/* Older versions of cargo show a level, newer ones also words. */
static bool has_debug_info(json_value message)
{
    json_value level = json_member(json_member(message, "profile"), "debuginfo");
    bool none = level.kind == BRZ_JSON_NULL || level.kind == BRZ_JSON_MORE ||
                (level.kind == BRZ_JSON_NUMBER && level.text.data[0] == '0');
    return !none && !json_is(level, "none");
}

static bool find_program(const cargo_target *t, const compat_words *w, brz_str messages,
                         cargo_program_file *built)
{
    while (messages.len > 0) {
        const char *end = memchr(messages.data, '\n', messages.len);
        size_t len = end != NULL ? (size_t)(end - messages.data) : messages.len;
        json_value message = json_value_of(brz_str_of(messages.data, len));
        if (is_wanted(t, message)) {
            built->path = json_keep(w->text, json_member(message, "executable"));
            built->manifest = json_keep(w->text, json_member(message, "manifest_path"));
            built->has_debug_info = has_debug_info(message);
            return true;
        }
        len += end != NULL;
        messages = brz_str_of(messages.data + len, messages.len - len);
    }
    brz_say(w->console, BRZ_FATAL, "cargo built no program for the target '%s'", t->name);
    return false;
}

/* ---- debugging information ------------------------------------------------------------------ */

/* Says how to add debugging information to the profile that was used. */
static void say_no_debug_info(const cargo_target *t, const compat_words *w)
{
    const char *profile = compat_noted_value(w, CARGO_PROFILE);
    brz_buf variable = {0};
    if (profile == NULL)
        profile = is_bench(t) ? "bench" : "release";
    for (const char *p = profile; *p != '\0'; p++)
        brz_buf_add_char(&variable, (char)(*p == '-' ? '_' : toupper((unsigned char)*p)));
    brz_say(w->console, BRZ_WARNING,
            "the profile %s builds without debugging information, so inlined functions and lines "
            "are missing; add 'debug = true' below [profile.%s] in Cargo.toml, or set "
            "CARGO_PROFILE_%s_DEBUG=true",
            profile, profile, brz_buf_text(&variable));
    brz_buf_finish(&variable);
}

bool cargo_build(const cargo_target *t, const compat_words *w, cargo_program_file *built)
{
    brz_buf messages = {0};
    bool good = run_cargo(t, w, &messages) && find_program(t, w, brz_buf_str(&messages), built);
    if (good && !built->has_debug_info && compat_noted_value(w, CARGO_DEV) == NULL)
        say_no_debug_info(t, w);
    brz_buf_finish(&messages);
    return good;
}
