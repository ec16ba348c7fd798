/* SPDX-License-Identifier: MIT */
/* Runs a command line: finds the command, creates its session, runs it, and cleans up. */
#include "command_line.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "commit.h"
#include "compat/compat.h"
#include "base/mem.h"
#include "base/suggest.h"

static const cli_command *const commands[] = {
    &cmd_run,   &cmd_record, &cmd_view,   &cmd_collapse, &cmd_flamegraph, &cmd_diff,
    &cmd_merge, &cmd_guess,  &cmd_plugin, &cmd_format,   &cmd_config};

#define N_COMMANDS BRZ_COUNT_OF(commands)

/* ---- help ---------------------------------------------------------------------------------- */

static void print_help(FILE *out)
{
    fputs("brazier turns any profiler's output into flame graphs.\n\n"
          "    brazier run perf.txt -o flame.svg\n"
          "    brazier perf.txt -o flame.svg           the same\n"
          "    perf script | brazier run -o flame.svg\n\n"
          "Commands:\n",
          out);
    for (size_t i = 0; i < N_COMMANDS; i++)
        fprintf(out, "  %-12s %s\n", commands[i]->name, commands[i]->summary);
    fputs("\nbrazier COMMAND --help describes a command.\n", out);
    cli_print_section(out, "All commands", cli_global_options);
}

static int print_command_help(brz_session *s, const cli_command *c, char **words)
{
    printf("usage: brazier %s %s\n\n", c->name, c->usage);
    if (c->help != NULL)
        c->help(s, words, stdout);
    cli_print_section(stdout, "All commands", cli_global_options);
    return s->console.errors == 0 ? CLI_OK : CLI_USAGE;
}

/* ---- running ------------------------------------------------------------------------------- */

/* Maps words of other programs to the corresponding command. */
static const struct {
    const char *word, *here;
} elsewhere[] = {
    {"show", "view"},         {"tui", "view"},
    {"draw", "run"},          {"render", "run"},
    {"plot", "run"},          {"report", "run"},
    {"convert", "run"},       {"open", "run"},
    {"fold", "collapse"},     {"compare", "diff"},
    {"add", "merge"},         {"sum", "merge"},
    {"combine", "merge"},     {"detect", "guess"},
    {"identify", "guess"},    {"profile", "record"},
    {"sample", "record"},     {"init", "config init"},
    {"list", "plugin list"},  {"formats", "plugin list"},
    {"version", "--version"},
};

static const cli_command *command_called(const char *name)
{
    for (size_t i = 0; i < N_COMMANDS; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

/* Returns the command that a word probably means, or NULL. */
static const char *nearest_command(const char *word)
{
    for (size_t i = 0; i < BRZ_COUNT_OF(elsewhere); i++)
        if (strcmp(elsewhere[i].word, word) == 0)
            return elsewhere[i].here;
    brz_suggestion near = {.typed = brz_str_of_text(word)};
    for (size_t i = 0; i < N_COMMANDS; i++)
        brz_suggestion_offer(&near, commands[i]->name);
    return near.best;
}

static void say_no_command(const char *word, brz_console *console)
{
    const char *near = nearest_command(word);
    if (strcmp(word, "cargo") == 0)
        brz_say(console, BRZ_FATAL, "no command 'cargo'; in a Rust package, write cargo brazier");
    else if (near != NULL)
        brz_say(console, BRZ_FATAL, "no command '%s'; did you mean '%s'?", word, near);
    else
        brz_say(console, BRZ_FATAL,
                "no command and no file '%s' (brazier --help lists the commands)", word);
}

/* Returns `run`, whose name is optional, for words that begin with an option: if one of them is a
 * file, or all are options. Returns NULL after reporting an error. */
static const cli_command *find_after_option(char **words, brz_console *console)
{
    bool has_file;
    const char *first = cli_run_first_word(words, &has_file);
    const cli_command *c = first == NULL ? NULL : command_called(first);
    if (c == NULL && (first == NULL || has_file))
        return &cmd_run;
    if (c != NULL)
        brz_say(console, BRZ_FATAL, "'%s' precedes the command; write brazier %s [OPTION...]",
                words[0], c->name);
    else
        say_no_command(first, console);
    return NULL;
}

/* Finds the command of the words, and advances *words beyond its name. Returns NULL after reporting
 * an error. */
static const cli_command *find_command(char ***words, brz_console *console)
{
    const char *word = (*words)[0];
    const cli_command *c = command_called(word);
    if (c != NULL) {
        ++*words;
        return c;
    }
    if (word[0] == '-' && word[1] != '\0')
        return find_after_option(*words, console);
    if (cli_is_file(word))
        return &cmd_run;
    say_no_command(word, console);
    return NULL;
}

/* Returns true if standard output is a pipe or socket whose reader has closed it. */
static bool is_stdout_closed(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) == 1 && (out.revents & (POLLERR | POLLHUP)) != 0;
}

/* Ends the program by SIGPIPE, as a closed pipe ends a script. */
static void die_of_pipe(void)
{
    brazier_discard_unfinished();
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
}

/* Prints a message of the library in the same way as the program's own. */
static void print_diagnostic(void *context, const brazier_diagnostic *d)
{
    const cli_globals *g = context;
    const brz_console *console = g->console;
    if (g->dies_of_pipe && d->code != NULL && strcmp(d->code, BRZ_SAYS_WRITE) == 0 &&
        is_stdout_closed())
        die_of_pipe();
    size_t n = brazier_diagnostic_text(d, console->verbosity, console->color, NULL, 0) + 1;
    char *text = brz_malloc(n);
    brazier_diagnostic_text(d, console->verbosity, console->color, text, n);
    fwrite(text, 1, n - 1, console->out);
    free(text);
}

static bool open_session(cli_globals *g, brazier_session **s)
{
    g->session.struct_size = sizeof g->session;
    g->session.verbosity = g->console->verbosity;
    g->session.on_diagnostic = print_diagnostic;
    g->session.context = g;
    return brazier_session_open(&g->session, s) == BRAZIER_OK;
}

static int run_command(cli_globals *g, const cli_command *c, char **words)
{
    brazier_session *s;
    int status = CLI_USAGE;
    if (c->prepare != NULL)
        c->prepare(g, words);
    bool good = open_session(g, &s);
    if (!good && g->help) { /* help also works with a broken configuration */
        brazier_session_close(s);
        cli_globals_drop_config(g);
        good = open_session(g, &s);
    }
    if (good && g->help)
        brz_registry_describe(s->core.registry, true);
    if (good)
        status = g->help ? print_command_help(&s->core, c, words) : c->run(&s->core, words);
    if (good && status != CLI_FAILED && brz_registry_is_incomplete(s->core.registry))
        status = CLI_FAILED;
    brazier_session_close(s);
    return status;
}

/* Flushes standard output. Returns `status`, or a failure after reporting an error, since lost
 * output must not look like success. */
static int flush_stdout(const cli_globals *g, int status)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    int error = errno; /* 0: what could not be written was lost earlier */
    if (g->has_pipe_signal && is_stdout_closed())
        die_of_pipe();
    brz_say(g->console, BRZ_FATAL, "stdout: cannot be written%s%s", error != 0 ? ": " : "",
            error != 0 ? strerror(error) : "");
    return CLI_FAILED;
}

/* Prints the version, and the commit of a build that is no release. */
static void print_version(void)
{
    bool is_release = BRZ_COMMIT[0] == '\0';
    printf("brazier %s%s%s%s\n", brazier_version(), is_release ? "" : " (commit ", BRZ_COMMIT,
           is_release ? "" : ")");
}

/* Runs the command that the words name, after removing global options. */
static int run_words(brz_console *console, cli_globals *g, char **words)
{
    for (; words[0] != NULL && strcmp(words[0], "help") == 0; words++)
        g->help = true;
    if (g->version) {
        print_version();
        return CLI_OK;
    }
    if (words[0] == NULL) {
        print_help(g->help ? stdout : stderr);
        return g->help ? CLI_OK : CLI_USAGE;
    }
    const cli_command *c = find_command(&words, console);
    return c == NULL ? CLI_USAGE : run_command(g, c, words);
}

/* Runs words, or those to which a command line of another tool was translated. */
static int run_translated(cli_globals *g, cli_compat *compat, char **words)
{
    int status = cli_compat_prepare(compat);
    if (status >= 0)
        return flush_stdout(g, status);
    if (compat->words != NULL)
        words = compat->words;
    status = CLI_USAGE;
    if (cli_globals_take(g, words, g->console)) {
        g->console->verbosity = g->verbosity;
        status = flush_stdout(g, run_words(g->console, g, words));
    }
    return cli_compat_complete(compat, status);
}

int cli_command_line_run(char **argv, brz_console *console, bool has_pipe_signal)
{
    cli_globals g = {.session.flags = BRAZIER_FIND_CONFIG,
                     .console = console,
                     .has_pipe_signal = has_pipe_signal};
    cli_compat compat;
    int status = cli_compat_init(&compat, argv, console);
    g.dies_of_pipe = has_pipe_signal && cli_compat_is_script(&compat);
    if (status >= 0)
        status = flush_stdout(&g, status);
    else
        status = run_translated(&g, &compat, argv + 1);
    cli_compat_finish(&compat);
    free(g.plugin_files);
    free(g.plugin_dirs);
    return status;
}
