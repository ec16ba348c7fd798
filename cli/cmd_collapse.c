/* SPDX-License-Identifier: MIT */
/* brazier collapse: converts a profiler's output to folded stacks. */
#include <string.h>

#include "component_options.h"
#include "plain.h"

static const cli_option *const tables[] = {NULL};

static const cli_syntax syntax = {.tables = tables,
                                  .sections = BRZ_RUN_ABOUT_OUTPUT | BRZ_RUN_ABOUT_INPUT |
                                              BRZ_RUN_ABOUT_TRANSFORMS | BRZ_RUN_ABOUT_SUM,
                                  .output = "folded",
                                  .names_format = true};

static const char *first_word(char **words)
{
    const cli_args a = {.words = words, .tables = tables, .sections = syntax.sections};
    return cli_look_ahead(a, NULL, NULL);
}

/* Returns whether there is a format with this name, without running a plug-in's code: the run may
 * be isolated. */
static bool is_format(brz_session *s, const char *word)
{
    bool describes = brz_registry_describe(s->registry, true);
    const brz_loaded *l =
        brz_registry_find(s->registry, BRZ_COLLAPSER, brz_str_of_text(word), NULL);
    brz_registry_describe(s->registry, describes);
    return l != NULL;
}

/* Returns false after reporting an error if the first word is a file instead of a format. */
static bool check_format(brz_session *s, const char *word)
{
    if (!cli_is_file(word) || strcmp(word, "guess") == 0 || is_format(s, word))
        return true;
    brz_say(&s->console, BRZ_FATAL,
            "'%s' is a file, and the format precedes it: brazier collapse guess %s", word, word);
    return false;
}

static int run(brz_session *s, char **words)
{
    cli_request r = {0};
    int status = CLI_USAGE;
    if (first_word(words) == NULL)
        brz_say(&s->console, BRZ_FATAL,
                "which format? brazier collapse FORMAT [FILE...]; "
                "FORMAT may be guess");
    else if (check_format(s, first_word(words)) && cli_request_words(s, &syntax, words, &r) &&
             cli_check_input(s, r.n_inputs, NULL))
        status = cli_request_run(s, &r);
    cli_request_finish(&r);
    return status;
}

/* Prints the texts of a format, which may be those of a plug-in. */
static void print_format(FILE *out, const brz_component *format)
{
    brz_buf summary = {0}, help = {0};
    fprintf(out, "\n%s: %s.\n", format->id, cli_add_plain(&summary, format->summary));
    if (format->help != NULL)
        fprintf(out, "%s\n", cli_add_plain_lines(&help, format->help));
    brz_buf_finish(&summary);
    brz_buf_finish(&help);
}

static void help(brz_session *s, char **words, FILE *out)
{
    cli_components c = {.n = 0};
    fputs("Reads a profiler's output and writes folded stacks: a line for each distinct\n"
          "stack, with its frames joined by ';' and its weight.\n\n"
          "    perf script | brazier collapse perf | brazier flamegraph > flame.svg\n",
          out);
    if (first_word(words) != NULL)
        cli_components_find(s, &syntax, words, &c);
    const brz_component *format = cli_components_format(&c);
    if (format != NULL)
        print_format(out, format);
    else
        fputs("\nbrazier collapse FORMAT --help lists the options of a format; brazier plugin\n"
              "list shows the formats.\n",
              out);
    cli_components_print(out, &c, syntax.tables);
    cli_print_run_section(out, "Output", BRZ_RUN_ABOUT_OUTPUT);
    cli_print_run_section(out, "Input", BRZ_RUN_ABOUT_INPUT);
    cli_print_run_section(out, "Several inputs", BRZ_RUN_ABOUT_SUM);
    cli_print_run_section(out, "Transforms, in the order given", BRZ_RUN_ABOUT_TRANSFORMS);
}

const cli_command cmd_collapse = {
    "collapse", "FORMAT [FILE...] [OPTION...]", "turn a profile into folded stacks", run, help,
    NULL,
};
