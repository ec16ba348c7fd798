/* SPDX-License-Identifier: MIT */
/* Records programs with perf, or makes the words for brazier to do so. */
#include "recording.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugin/installation.h"

#define RECORDING "perf.data"

/* Release builds of Rust omit frame pointers, although the standard library has them: callers are
 * found in copies of the stack, which are as large as those of cargo-flamegraph. */
#define CALL_GRAPH "--call-graph=dwarf,64000"

void cargo_set_folder(const char *manifest)
{
    brz_buf folder = {0};
    const char *slash = strrchr(manifest, '/');
    if (slash != NULL) {
        brz_buf_add(&folder, manifest, (size_t)(slash - manifest));
        setenv("CARGO_MANIFEST_DIR", brz_buf_text(&folder), 1);
    }
    brz_buf_finish(&folder);
}

/* Returns a copy that lives as long as the words. */
static char *keep(compat_words *w, const char *text)
{
    return (char *)(uintptr_t)brz_arena_str(w->text, brz_str_of_text(text)).data;
}

/* ---- perf ----------------------------------------------------------------------------------- */

/* Adds sudo with its options, if the recording needs root. */
static void add_sudo(compat_words *w, command_words *c)
{
    const char *options = compat_noted_value(w, CARGO_ROOT);
    if (options == NULL)
        return;
    command_add(c, "sudo");
    command_add_text(c, keep(w, options));
}

/* Returns the word after an option, or NULL. */
static const char *value_of(const command_words *c, const char *option)
{
    for (size_t i = 0; i + 1 < c->n; i++)
        if (c->list[i] != NULL && strcmp(c->list[i], option) == 0)
            return c->list[i + 1];
    return NULL;
}

/* Adds perf with the words of --cmd. Returns the name of the recording. */
static const char *add_perf(compat_words *w, command_words *c)
{
    const char *perf = getenv("PERF");
    command_add(c, perf != NULL ? perf : "perf");
    command_add_text(c, keep(w, compat_noted_value(w, CARGO_COMMAND)));
    const char *recording = value_of(c, "-o");
    if (recording == NULL)
        command_add_option(c, "-o", recording = RECORDING);
    return recording;
}

/* Makes the command line that records. Returns the name of the recording. The words of --cmd may
 * name processes. */
static const char *make_command(compat_words *w, const command_words *workload, command_words *c)
{
    add_sudo(w, c);
    const char *recording = add_perf(w, c);
    if (value_of(c, "-p") != NULL || value_of(c, "--pid") != NULL)
        return recording;
    command_add_option(c, "-p", compat_noted_value(w, CARGO_PID));
    if (workload->n > 0)
        command_add(c, "--");
    for (size_t i = 0; i < workload->n; i++)
        command_add(c, workload->list[i]);
    return recording;
}

/* Gives a recording that root made to the user. If somebody has put a symbolic link in its place,
 * the file behind the link stays as it is. */
static void take_over(compat_words *w, const char *recording)
{
    command_words c = {0};
    char user[32];
    if (compat_noted_value(w, CARGO_ROOT) == NULL || geteuid() == 0)
        return;
    snprintf(user, sizeof user, "%lu", (unsigned long)geteuid());
    add_sudo(w, &c);
    command_add(&c, "chown");
    command_add(&c, "-h");
    command_add(&c, "--");
    command_add_option(&c, user, recording);
    command_run(&c, w->console);
    command_finish(&c);
}

/* Returns true if a status is no failure: signals end recordings. */
static bool is_end(const compat_words *w, int status)
{
    return status == 0 || status == 128 + SIGINT || status == 128 + SIGTERM ||
           (status > 0 && compat_noted_value(w, CARGO_IGNORE_STATUS) != NULL);
}

int cargo_record(compat_words *w, const command_words *command, const char **recording)
{
    command_words c = {0};
    *recording = make_command(w, command, &c);
    if (compat_noted_value(w, CARGO_VERBOSE) != NULL)
        command_say(&c, w->console);
    int status = command_run(&c, w->console);
    command_finish(&c);
    if (is_end(w, status)) {
        take_over(w, *recording);
        return -1;
    }
    if (status > 0)
        brz_say(
            w->console, BRZ_FATAL,
            "the recording failed with status %d, which is that of the program or of its recorder; "
            "--ignore-status draws it nevertheless",
            status);
    return 1;
}

/* ---- brazier record ------------------------------------------------------------------------- */

/* Adds an option with its value, unless that is NULL. */
static void add_option(compat_words *w, const char *option, cargo_note note)
{
    const char *value = compat_noted_value(w, (int)note);
    if (value != NULL)
        compat_addf(w, "--%s=%s", option, value);
}

/* Adds --root. Only the events are opened as root, so the options of sudo do not matter. */
static void add_root(compat_words *w)
{
    const char *options = compat_noted_value(w, CARGO_ROOT);
    if (options == NULL)
        return;
    compat_add(w, "--root");
    if (*options != '\0')
        brz_say(w->console, BRZ_NOTE, "the options of sudo are not used: %s", options);
}

void cargo_add_record_words(compat_words *w)
{
    w->list[0] = keep(w, "record");
    compat_add(w, CALL_GRAPH);
    add_option(w, "freq", CARGO_FREQUENCY);
    add_option(w, "event", CARGO_EVENT);
    add_option(w, "pid", CARGO_PID);
    add_option(w, "post-process", CARGO_POST_PROCESS);
    add_root(w);
    if (compat_noted_value(w, CARGO_OPEN) != NULL)
        compat_add(w, "--open");
    if (compat_noted_value(w, CARGO_IGNORE_STATUS) != NULL)
        compat_add(w, "--ignore-status");
}

int cargo_check_record_words(compat_words *w)
{
    command_words c = {0};
    brz_installation here;
    brz_installation_find(&here);
    command_add(&c, here.file);
    for (size_t i = 0; i < w->n; i++)
        command_add(&c, w->list[i]);
    command_add(&c, "--check-only");
    command_add(&c, "--quiet");
    command_add(&c, "--");
    command_add(&c, "program");
    int status = command_run(&c, w->console);
    command_finish(&c);
    return status == 0 ? -1 : status < 0 ? 1 : status;
}

void cargo_add_command(compat_words *w, const command_words *command)
{
    if (command->n > 0)
        compat_add(w, "--");
    for (size_t i = 0; i < command->n; i++)
        compat_add(w, command->list[i]);
}
