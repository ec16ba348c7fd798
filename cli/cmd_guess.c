/* SPDX-License-Identifier: MIT */
/* brazier guess: recognises the format of files. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "interrupt.h"
#include "base/mem.h"
#include "request/limits.h"

static const cli_option *const tables[] = {NULL};

/* The command line. */
typedef struct guess_command {
    brz_session *session;
    brz_request request; /* options of runs that protect against inputs and plug-ins */
    brz_run run;
    const char **files;
    size_t n_files, files_cap;
} guess_command;

/* Prints a file's name with visible control characters: it is untrusted text, and usually goes to a
 * terminal. */
static void print_answer(const char *file, const char *format, int score)
{
    brz_buf name = {0};
    brz_add_printable(&name, brz_str_of_text(file));
    printf("%s: %s (%d)\n", brz_buf_text(&name), format, score);
    brz_buf_finish(&name);
}

/* Prints the format of a file. Returns false after reporting the reason if it is unknown. */
static bool guess_file(guess_command *g, const char *path)
{
    int score;
    const brz_input input = {.kind = BRZ_INPUT_FILE, .name = path};
    const brz_input_reader *reader =
        g->request.isolate > 0 ? &brz_isolated_reader : &brz_local_reader;
    const brz_reading reading = {
        .run = &g->run, .input = &input, .memory = g->request.limits.memory};
    const char *format = brz_lib_guess(brz_lib_session(g->session), reader, reading, &score);
    if (format != NULL)
        print_answer(strcmp(path, "-") == 0 ? "stdin" : path, format, score);
    return format != NULL;
}

/* Guesses the format of each file until the run is stopped. Returns true if all are known. */
static bool guess_files(guess_command *g)
{
    bool good = true;
    for (size_t i = 0; i < g->n_files; i++) {
        if (atomic_load(&g->run.stop))
            return false;
        good &= guess_file(g, g->files[i]);
    }
    return good;
}

/* Does the same within the limits of the command line. */
static bool guess_within_limits(guess_command *g)
{
    g->run.console = &g->session->console;
    g->request.limits.is_strict = true;
    g->request.limits.threads = 1;
    brz_limit_watch *watch = brz_limit_watch_begin(&g->run, &g->request.limits);
    cli_interruptible(&g->run);
    bool good = guess_files(g);
    cli_interruptible(NULL);
    brz_limit_watch_end(watch, !good);
    return good;
}

static void add_file(guess_command *g, const char *file)
{
    g->files = brz_grow(g->files, g->n_files, &g->files_cap, sizeof *g->files);
    g->files[g->n_files++] = file;
}

/* Returns false after reporting an invalid value. */
static bool set_option(guess_command *g, const cli_args *a)
{
    brz_buf origin = {0}, error = {0};
    brz_buf_printf(&origin, "--%s", a->run_option->name);
    bool good = brz_run_option_set(a->run_option, &g->request, a->is_off ? "false" : a->value,
                                   brz_buf_text(&origin), &error);
    if (!good)
        brz_say(&g->session->console, BRZ_FATAL, "%s", brz_buf_text(&error));
    brz_buf_finish(&origin);
    brz_buf_finish(&error);
    return good;
}

/* Returns false after reporting an invalid word. */
static bool take_words(guess_command *g, char **words)
{
    cli_args a = {.words = words,
                  .tables = tables,
                  .sections = BRZ_RUN_GUARD,
                  .console = &g->session->console};
    for (;;) {
        switch (cli_args_next(&a)) {
        case CLI_END:
            return true;
        case CLI_WORD:
            add_file(g, a.value);
            break;
        case CLI_RUN_OPTION:
            if (!set_option(g, &a))
                return false;
            break;
        case CLI_UNKNOWN:
            cli_args_say_unknown(&a, NULL, 0);
            return false;
        default:
            return false;
        }
    }
}

static int run(brz_session *s, char **words)
{
    guess_command g = {.session = s};
    int status = CLI_USAGE;
    if (take_words(&g, words) && cli_check_input(s, g.n_files, NULL)) {
        if (g.n_files == 0)
            add_file(&g, "-");
        status = guess_within_limits(&g) ? CLI_OK : CLI_FAILED;
    }
    free(g.files);
    return status;
}

static void help(brz_session *s, char **words, FILE *out)
{
    (void)s;
    (void)words;
    fputs("Prints the format of each file with a score (40: similar structure, 90: a header\n"
          "that no other format has, 100: a magic number).\n",
          out);
    cli_print_run_section(out, "Options", BRZ_RUN_GUARD);
}

const cli_command cmd_guess = {
    "guess", "[FILE...] [OPTION...]", "recognise the format of files", run, help, NULL,
};
