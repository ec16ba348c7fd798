/* SPDX-License-Identifier: MIT */
/* brazier view: shows profiles in the terminal, or in a browser. */
#include "component_options.h"

#include <string.h>

#include "record_options.h"
#include "view/view.h"
#include "view_web.h"

/* Options of outputs that the viewer does not have: it writes no files. */
static const char *const refused[] = {"output",  "to",          "palette-map",    "cp", "split-by",
                                      "fail-if", "fail-report", "fail-unmatched", NULL};

static const cli_option *const tables[] = {cli_web_options, NULL};

static bool is_refused(const char *name)
{
    for (const char *const *r = refused; *r != NULL; r++)
        if (strcmp(*r, name) == 0)
            return true;
    return false;
}

/* Returns whether an option names a range of time of one input that is compared with another. */
static bool is_range(const char *name)
{
    return strcmp(name, "before") == 0 || strcmp(name, "after") == 0;
}

/* Takes options of --web, refuses those of outputs, and lets ranges of time be compared; a
 * cli_take_fn. */
static cli_taken take(cli_request *r, cli_token token, const cli_args *a)
{
    if (token == CLI_OPTION)
        return cli_web_take(r->own, a);
    if (token == CLI_RUN_OPTION && is_range(a->run_option->name))
        brazier_pipeline_set(r->pipeline, "compare", "true", NULL);
    if (token != CLI_RUN_OPTION || !is_refused(a->run_option->name))
        return CLI_TAKE_DEFAULT;
    brz_say(a->console, BRZ_FATAL, "--%s: brazier view writes no files; brazier run has the option",
            a->run_option->name);
    return CLI_TAKE_FAILED;
}

#define SECTIONS                                                                                   \
    (BRZ_RUN_ABOUT_OUTPUT | BRZ_RUN_ABOUT_INPUT | BRZ_RUN_ABOUT_TRANSFORMS |                       \
     BRZ_RUN_ABOUT_COMPARISON | BRZ_RUN_ABOUT_DIFF)

/* The output "term" stands for the viewer where options of palettes are sought. */
static const cli_syntax syntax = {
    .tables = tables, .sections = SECTIONS, .output = "term", .lacks_output = true, .take = take};
static const cli_syntax web_syntax = {
    .tables = tables, .sections = SECTIONS, .output = "html", .take = take};

/* Loads the viewer. Returns NULL after reporting that this build has no viewer, or that the
 * terminal cannot show it. */
static const brz_view *load_viewer(brz_session *s)
{
    brz_buf error = {0};
    const brz_view *view = brz_view_load(&error);
    if (view != NULL && !view->check(&error))
        view = NULL;
    if (view == NULL)
        brz_say(&s->console, BRZ_FATAL,
                "%s; -o x.ansi and -o x.html of brazier run write pictures to files",
                brz_buf_text(&error));
    brz_buf_finish(&error);
    return view;
}

/* Makes two inputs a comparison. Returns false after reporting an error if there are more. */
static bool compare_two(brz_session *s, cli_request *r)
{
    if (r->n_inputs > 2)
        brz_say(&s->console, BRZ_FATAL,
                "view shows one file, or compares two; brazier merge adds up several");
    if (r->n_inputs == 2)
        brazier_pipeline_set(r->pipeline, "compare", "true", NULL);
    return r->n_inputs <= 2;
}

/* Notes the option --live; a cli_see_fn. */
static void see_live(void *is_live, cli_token token, const cli_args *a)
{
    if (token == CLI_OPTION && strcmp(a->option->name, "live") == 0)
        *(bool *)is_live = true;
}

/* Returns whether the words have the option --live, with which a recording is shown. They may be
 * those of either command, and --live may be the value of another option. */
static bool is_live(char **words)
{
    static const cli_option *const all[] = {cli_record_options, cli_other_names, cli_web_options,
                                            NULL};
    bool found = false;
    const cli_args a = {.words = words, .tables = all, .sections = SECTIONS};
    cli_look_ahead(a, see_live, &found);
    return found;
}

static int run_in_terminal(brz_session *s, char **words)
{
    cli_web web = {.is_wanted = false};
    cli_request r = {.own = &web};
    int status = CLI_USAGE;
    const brz_view *view = NULL;
    if (cli_request_words(s, &syntax, words, &r) && compare_two(s, &r) &&
        cli_web_check(&web, &s->console))
        view = load_viewer(s);
    if (view != NULL && cli_check_input(s, r.n_inputs, NULL)) {
        brz_lib_add_output_component(r.pipeline, view->output, NULL);
        status = cli_request_run(s, &r);
    }
    cli_request_finish(&r);
    return status;
}

static int run_in_browser(brz_session *s, char **words)
{
    cli_web web = {.is_wanted = false};
    cli_request r = {.own = &web};
    int status = CLI_USAGE;
    if (cli_request_words(s, &web_syntax, words, &r) && compare_two(s, &r) &&
        cli_check_input(s, r.n_inputs, NULL))
        status = cli_web_run(s, &r, &web);
    cli_request_finish(&r);
    return status;
}

static int run(brz_session *s, char **words)
{
    if (is_live(words))
        return cmd_record.run(s, words);
    return cli_web_is_wanted(words, &syntax) ? run_in_browser(s, words) : run_in_terminal(s, words);
}

static void help(brz_session *s, char **words, FILE *out)
{
    (void)s;
    (void)words;
    fputs("Shows the flame graph of a profile of any format in the terminal, where keys\n"
          "move, zoom and search. Of two files it shows the difference, as brazier diff\n"
          "does. The key ? lists all keys, q quits. A - reads standard input, while keys\n"
          "come from the terminal.\n\n"
          "    brazier view perf.data\n"
          "    perf script | brazier view -\n"
          "    brazier view before.folded after.folded\n"
          "    brazier view --live -p 1234      # while it runs: see brazier record\n"
          "    brazier view --web perf.data\n\n"
          "With --web, a browser on this machine shows the page instead, and again whenever\n"
          "the file has changed. The command ends when the last page is closed. A frame\n"
          "with a file and a line has a link that opens an editor: --editor, or\n"
          "$BRAZIER_EDITOR_URL, such as vscode://file{file}:{line}.\n",
          out);
    cli_print_section(out, "Browser", cli_web_options);
    cli_print_run_section_beside(out, "Picture", BRZ_RUN_ABOUT_OUTPUT, NULL, refused);
    cli_print_run_section_beside(out, "Input", BRZ_RUN_ABOUT_INPUT, NULL, refused);
    cli_print_run_section_beside(out, "Comparison", BRZ_RUN_ABOUT_DIFF | BRZ_RUN_ABOUT_COMPARISON,
                                 NULL, refused);
    cli_print_run_section(out, "Transforms, in the order given", BRZ_RUN_ABOUT_TRANSFORMS);
}

const cli_command cmd_view = {
    "view",
    "[FILE | BEFORE AFTER] [OPTION...]",
    "show a profile in the terminal or a browser",
    run,
    help,
    NULL,
};
