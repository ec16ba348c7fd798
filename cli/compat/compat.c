/* SPDX-License-Identifier: MIT */
/* Runs the program under the names of inferno's and FlameGraph's tools.
 *
 * Called by such a name, or with "--as NAME", the program accepts that tool's options and uses its
 * exit statuses, so that a script only needs another PATH. It reads no configuration, since the
 * tools have none. tools.c describes the tools; clap.c, getopt_long.c and letters.c parse their
 * words.
 */
#include "compat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "readers.h"
#include "tools.h"

/* ---- help ---------------------------------------------------------------------------------- */

static const char *value_name(compat_value value)
{
    switch (value) {
    case COMPAT_NONE:
        return "";
    case COMPAT_VARIABLE:
    case COMPAT_TEXT:
        return " TEXT";
    case COMPAT_OPTIONAL:
        return " [TEXT]";
    case COMPAT_BACKGROUND:
        return " COLOR";
    default:
        return " NUMBER";
    }
}

static void print_option(FILE *out, const compat_tool *t, const compat_option *o)
{
    brz_buf left = {0};
    bool has_letter = o->letter != 0 && t->read != compat_read_getopt_long;
    brz_buf_printf(&left, "  %c%c%c %s%s%s", has_letter ? '-' : ' ', has_letter ? o->letter : ' ',
                   has_letter && o->name != NULL ? ',' : ' ', o->name != NULL ? "--" : "",
                   o->name != NULL ? o->name : "", value_name(o->value));
    cli_print_entry(out, brz_buf_text(&left), o->help);
    brz_buf_finish(&left);
}

static void print_help(FILE *out, const compat_tool *t)
{
    const compat_option *o;
    bool is_built = t->subcommand != NULL; /* cargo builds the program, so that it is not named */
    fprintf(out, "usage: %s%s [OPTION...] %s\n\n", is_built ? "cargo " : "",
            is_built ? t->subcommand : t->name,
            t->takes != NULL    ? t->takes
            : is_built          ? "[-- ARGUMENT...]"
            : t->takes_command  ? "[-- PROGRAM [ARGUMENT...]]"
            : t->most_files > 1 ? "[FILE...]"
                                : "[FILE]");
    if (t->summary != NULL)
        fprintf(out, "%s Options:\n\n", t->summary);
    else if (t->prepare != NULL)
        fprintf(out, "%s a program and draws its flame graph. Options:\n\n",
                is_built ? "Builds and records" : "Records");
    else
        fprintf(out, "This is brazier %s %s. Options:\n\n", t->command[0],
                t->command[1] == NULL || t->command[1][0] == '-' ? "under another name"
                                                                 : t->command[1]);
    for (size_t table = 0, row = 0; (o = compat_next_option(t, &table, &row)) != NULL;)
        print_option(out, t, o);
}

/* ---- the tool ------------------------------------------------------------------------------ */

/* Finds the tool and its words. Returns NULL if the program was not called as a tool; then *words
 * is NULL if that was an error, which was reported. */
static const compat_tool *find_tool(char **argv, char ***words, brz_console *console)
{
    *words = argv;
    if (argv[0] == NULL)
        return NULL;
    const compat_tool *t = compat_find_tool(basename(argv[0]));
    *words = argv + 1;
    if (t != NULL || argv[1] == NULL || strcmp(argv[1], "--as") != 0)
        return t;
    t = argv[2] == NULL ? NULL : compat_find_tool(argv[2]);
    *words = t == NULL ? NULL : argv + 3;
    if (argv[2] == NULL) {
        brz_say(console, BRZ_FATAL, "--as needs the name of a tool, such as flamegraph.pl");
    } else if (t == NULL) {
        const char *near = compat_nearest_tool(argv[2]);
        brz_say(console, BRZ_FATAL, "no tool '%s'%s%s%s", argv[2],
                near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                near != NULL ? "'?" : "");
    }
    return t;
}

/* Returns whether a tool writes folded stacks. */
static bool is_folding(const compat_tool *t)
{
    const char *command = t->command[0];
    return t->prepare == NULL && command != NULL && strcmp(command, "flamegraph") != 0;
}

/* Ends a tool that skips files that cannot be opened, if that are all. Their names are reported. */
static void end_without_files(compat_words *w)
{
    w->status = is_folding(w->tool) ? 0 : w->tool->failed_status;
    if (w->status != 0)
        brz_say(w->console, BRZ_FATAL, "%s: nothing to draw: no file can be opened", w->tool->name);
}

/* Adds the words for the tool's defaults. */
static void add_command(compat_words *w)
{
    for (size_t i = 0; w->tool->command[i] != NULL; i++)
        compat_add(w, w->tool->command[i]);
    if (!w->tool->uses_config)
        compat_add(w, "--no-config");
    if (is_folding(w->tool)) /* an empty input gives an empty output */
        compat_add(w, "--as-it-was");
}

int cli_compat_init(cli_compat *c, char **argv, brz_console *console)
{
    *c = (cli_compat){.words = NULL};
    char **theirs;
    c->tool = find_tool(argv, &theirs, console);
    if (c->tool == NULL)
        return theirs == NULL ? 2 : -1;
    if (c->tool->subcommand != NULL && theirs[0] != NULL &&
        strcmp(theirs[0], c->tool->subcommand) == 0)
        theirs++;
    compat_words *w = &c->theirs;
    *w = (compat_words){.tool = c->tool, .console = console, .text = &c->text, .status = -1};
    add_command(w);
    bool good = c->tool->read(w, theirs);
    if (good && w->n_missing > 0 && w->n_missing == w->n_files && w->status < 0 && !w->help)
        end_without_files(w); /* without them, brazier would read standard input */
    c->words = w->list;
    if (!good && c->tool->is_script)
        print_help(stderr, c->tool);
    if (!good || !w->help)
        return w->status;
    print_help(stdout, c->tool);
    return 0;
}

int cli_compat_prepare(cli_compat *c)
{
    int status = c->tool == NULL || c->tool->prepare == NULL ? -1 : c->tool->prepare(c);
    c->words = c->theirs.list;
    return status;
}

void cli_compat_finish(cli_compat *c)
{
    compat_words_finish(&c->theirs);
    brz_arena_finish(&c->text);
}

bool cli_compat_is_script(const cli_compat *c)
{
    return c->tool != NULL && c->tool->is_script;
}

int cli_compat_complete(cli_compat *c, int status)
{
    if (c->tool != NULL && c->tool->complete != NULL)
        status = c->tool->complete(c, status);
    if (c->tool == NULL || status == 0)
        return status;
    if (c->tool->failed_status == 0)
        return status;
    return status == 2 ? c->tool->usage_status : c->tool->failed_status;
}
