/* SPDX-License-Identifier: MIT */
/* Builds, records and draws: `cargo brazier`, `cargo flamegraph` and `flamegraph`.
 *
 * The target is built by cargo, recorded, and drawn by brazier's own command, whose words are made
 * here. With --post-process, the stacks pass through a command of the user in between.
 */
#include "compat/compat.h"

#include <brazier.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/scratch.h"
#include "build.h"
#include "child.h"
#include "cli.h"
#include "compat/words.h"
#include "completions.h"
#include "open_picture.h"
#include "options.h"
#include "plugin/installation.h"
#include "process.h"
#include "recording.h"

/* The option that leaves out inlined functions. */
#define CARGO_WITHOUT_INLINES "--set=?perf-data.inlines=false"

/* ---- stacks --------------------------------------------------------------------------------- */

/* The stacks before and after the command. */
typedef struct stacks {
    int folded, processed; /* files without a name; -1: none */
} stacks;

/* Creates a file. Returns false after reporting an error. */
static bool create(int *fd, brz_console *console)
{
    brz_buf error = {0};
    *fd = brz_scratch_create(&error);
    if (*fd < 0)
        brz_say(console, BRZ_FATAL, "%s", brz_buf_text(&error));
    brz_buf_finish(&error);
    return *fd >= 0;
}

static void close_files(const stacks *s)
{
    if (s->folded >= 0)
        close(s->folded);
    if (s->processed >= 0)
        close(s->processed);
}

/* ---- commands ------------------------------------------------------------------------------- */

/* Runs a command with other files as its standard input and output. */
static bool run_between(compat_words *w, const command_words *c, int from, int to)
{
    int in = from < 0 ? open("/dev/null", O_RDONLY | O_CLOEXEC) : fcntl(from, F_DUPFD_CLOEXEC, 3);
    int out = fcntl(to, F_DUPFD_CLOEXEC, 3);
    if (in < 0 || out < 0) {
        brz_say(w->console, BRZ_FATAL, "cannot open files for stacks: %s", strerror(errno));
        return false;
    }
    if (compat_noted_value(w, CARGO_VERBOSE) != NULL)
        command_say(c, w->console);
    int process = command_start(c, in, out, w->console);
    int status = process < 0 ? -1 : cli_child_wait(process);
    if (status > 0)
        brz_say(w->console, BRZ_FATAL, "'%s' ended with status %d", c->list[c->n - 1], status);
    return status == 0 && lseek(to, 0, SEEK_SET) == 0;
}

/* Runs brazier, which writes folded stacks. */
static bool fold(compat_words *w, const char *recording, const stacks *s)
{
    command_words c = {0};
    brz_installation here;
    brz_installation_find(&here);
    command_add(&c, here.file);
    command_add(&c, "run");
    if (!w->tool->uses_config)
        command_add(&c, "--no-config");
    if (compat_noted_value(w, CARGO_QUALITY) != NULL)
        command_add(&c, "--quality");
    if (compat_noted_value(w, CARGO_NO_INLINE) != NULL)
        command_add(&c, CARGO_WITHOUT_INLINES);
    for (size_t i = 0; i < w->n_noted; i++)
        if (w->noted[i].note == CARGO_SKIP_AFTER)
            command_add_option(&c, "--skip-after", w->noted[i].value);
    command_add(&c, "--to=folded");
    command_add(&c, "--");
    command_add(&c, recording);
    bool good = run_between(w, &c, -1, s->folded);
    command_finish(&c);
    return good;
}

/* Runs the user's command. */
static bool process(compat_words *w, const stacks *s)
{
    command_words c = {0};
    command_add(&c, "sh");
    command_add(&c, "-c");
    command_add(&c, compat_noted_value(w, CARGO_POST_PROCESS));
    bool good = run_between(w, &c, s->folded, s->processed);
    command_finish(&c);
    return good;
}

/* Folds a recording and runs the command of --post-process with the result, which becomes the
 * standard input of this process. Returns the exit status if that fails, which is reported;
 * otherwise -1. */
static int process_stacks(compat_words *w, const char *recording)
{
    stacks s = {-1, -1};
    bool good = create(&s.folded, w->console) && create(&s.processed, w->console) &&
                fold(w, recording, &s) && process(w, &s) &&
                dup2(s.processed, STDIN_FILENO) == STDIN_FILENO;
    close_files(&s);
    return good ? -1 : 1;
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool has(const compat_words *w, cargo_note note)
{
    return compat_noted_value(w, (int)note) != NULL;
}

/* Returns whether a value was given that has no text. */
static bool is_empty(const char *value)
{
    return value != NULL && *value == '\0';
}

/* ---- what is recorded ----------------------------------------------------------------------- */

/* Reports words that do not fit together. Returns the exit status. */
static int refuse(compat_words *w, const char *why)
{
    compat_refuse(w, "%s", why);
    return w->status;
}

/* Builds the target and makes its program the command. Returns false after reporting an error. */
static bool build_command(compat_words *w, command_words *command)
{
    cargo_target target;
    cargo_program_file built;
    if (!cargo_target_find(&target, w) || !cargo_build(&target, w, &built))
        return false;
    cargo_set_folder(built.manifest);
    command_add(command, built.path);
    for (char **word = w->command; word != NULL && *word != NULL; word++)
        command_add(command, *word);
    return true;
}

/* Finds the command to record, which stays empty with --pid and --perfdata. Returns the exit status
 * if that fails, which is reported; otherwise -1. */
static int find_command(compat_words *w, command_words *command)
{
    bool running = has(w, CARGO_PID), recorded = has(w, CARGO_PERF_DATA);
    if (running || recorded)
        return w->command == NULL
                   ? -1
                   : refuse(w, running ? "--pid and a program exclude each other"
                                       : "--perfdata and a program exclude each other");
    if (w->tool->subcommand != NULL)
        return build_command(w, command) ? -1 : 1;
    if (w->command == NULL)
        return refuse(w, "nothing to record: name a program after --, or use --pid or --perfdata");
    for (char **word = w->command; *word != NULL; word++)
        command_add(command, *word);
    return -1;
}

/* ---- what is drawn -------------------------------------------------------------------------- */

static const char *output_of(const compat_words *w)
{
    const char *named = compat_noted_value(w, CARGO_OUTPUT);
    return named != NULL ? named : "flamegraph.svg";
}

static void add_skipped(compat_words *w)
{
    for (size_t i = 0; i < w->n_noted; i++)
        if (w->noted[i].note == CARGO_SKIP_AFTER)
            compat_addf(w, "--skip-after=%s", w->noted[i].value);
}

/* Adds the words for the picture itself. */
static void add_picture_words(compat_words *w)
{
    if (has(w, CARGO_QUALITY))
        compat_add(w, "--quality");
    if (has(w, CARGO_NO_INLINE))
        compat_add(w, CARGO_WITHOUT_INLINES);
    add_skipped(w);
    compat_addf(w, "--output=%s", output_of(w));
}

/* Completes the words of the command that draws a recording. Returns the exit status if that fails,
 * otherwise -1. */
static int draw(compat_words *w, const char *recording)
{
    if (!has(w, CARGO_POST_PROCESS)) {
        add_picture_words(w);
        compat_addf(w, recording[0] == '-' ? "./%s" : "%s", recording);
        return -1;
    }
    int status = process_stacks(w, recording);
    w->list[0] = (char *)(uintptr_t) "flamegraph";
    compat_addf(w, "--output=%s", output_of(w));
    compat_add(w, "-");
    return status;
}

/* Completes the words of the command that records and draws, or records with --cmd and draws.
 * Returns the exit status if that fails, otherwise -1. */
static int record(compat_words *w, const command_words *command)
{
    const char *recording;
    if (has(w, CARGO_COMMAND)) {
        int status = cargo_record(w, command, &recording);
        return status < 0 ? draw(w, recording) : status;
    }
    cargo_add_command(w, command);
    return -1;
}

/* Begins the command that records and draws. If the target is built before, which may take minutes,
 * the options are checked. Returns the exit status if they are refused, otherwise -1. */
static int begin_record(compat_words *w)
{
    bool is_built = w->tool->subcommand != NULL && !has(w, CARGO_PID);
    add_picture_words(w);
    cargo_add_record_words(w);
    return is_built ? cargo_check_record_words(w) : -1;
}

int cargo_prepare(cli_compat *c)
{
    compat_words *w = &c->theirs;
    command_words command = {0};
    if (has(w, CARGO_COMPLETIONS))
        return cargo_print_completions(w);
    if (has(w, CARGO_VERSION)) {
        printf("%s of brazier %s\n", w->tool->name, brazier_version());
        return 0;
    }
    if (is_empty(compat_noted_value(w, CARGO_POST_PROCESS)))
        return refuse(w, "--post-process: '' is not a command");
    if (!has(w, CARGO_OUTPUT) && !cli_may_write_default(output_of(w), w->console))
        return CLI_FAILED;
    const char *recording = compat_noted_value(w, CARGO_PERF_DATA);
    bool is_drawn_later = recording != NULL || has(w, CARGO_COMMAND);
    int status = is_drawn_later ? -1 : begin_record(w);
    if (status < 0)
        status = find_command(w, &command);
    if (status < 0)
        status = recording != NULL ? draw(w, recording) : record(w, &command);
    command_finish(&command);
    return status;
}

/* Returns true if the command `record` shows the picture itself. */
static bool is_shown(const compat_words *w)
{
    return strcmp(w->list[0], "record") == 0;
}

int cargo_complete(cli_compat *c, int status)
{
    compat_words *w = &c->theirs;
    if (status == 0 && has(w, CARGO_OPEN) && !is_shown(w))
        cli_open_picture(output_of(w), w->console);
    return status;
}
