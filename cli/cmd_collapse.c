/* brazier collapse: the first half of a run, from a profiler's output to folded stacks. */
#include <string.h>

#include "cli.h"

static const cli_option *const tables[] = {cli_output_options, cli_input_options,
                                           cli_transform_options, NULL};

static const char *first_word(char **words)
{
    return cli_look_ahead(words, tables, NULL, NULL);
}

/* The component whose options are flags of this command; false after saying that there is none. */
static bool find_component(brz_session *s, const char *name, const brz_component **c, size_t *n)
{
    *n = 0;
    if (name == NULL || strcmp(name, "guess") == 0)
        return true;
    brz_buf error = {0};
    const brz_loaded *l =
        brz_registry_find(s->registry, BRZ_COLLAPSER, brz_str_of(name, strlen(name)), &error);
    if (l == NULL)
        brz_say(&s->console, BRZ_FATAL, "%s", brz_buf_text(&error));
    brz_buf_finish(&error);
    if (l == NULL)
        return false;
    *c = l->component;
    *n = 1;
    return true;
}

/* True if this name is both a transform's and an option of the format: the format's goes first. */
static bool is_own_option(const cli_args *a, const brz_component *c, size_t n)
{
    return n > 0 && a->option->id != 0 &&
           brz_option_find(c, brz_str_of(a->option->name, strlen(a->option->name)), NULL) != NULL;
}

static bool take_words(brz_session *s, char **words, cli_request *r)
{
    const brz_component *c = NULL;
    size_t n;
    if (!find_component(s, first_word(words), &c, &n))
        return false;
    cli_args a = {.words = words, .tables = tables, .console = &s->console};
    for (bool first = true;;) {
        switch (cli_args_next(&a)) {
        case CLI_END:
            return true;
        case CLI_WORD:
            if (first)
                r->options.from = a.value;
            else
                cli_request_input(r, a.value);
            first = false;
            break;
        case CLI_OPTION:
            if (is_own_option(&a, c, n) ? !cli_request_component_option(r, &a, &c, n)
                                        : !cli_request_option(r, &a))
                return false;
            break;
        case CLI_UNKNOWN:
            if (!cli_request_component_option(r, &a, &c, n))
                return false;
            break;
        default:
            return false;
        }
    }
}

static int run(brz_session *s, char **words)
{
    cli_request r = {0};
    int status = CLI_USAGE;
    r.options.otherwise_to = "folded";
    if (first_word(words) == NULL)
        brz_say(&s->console, BRZ_FATAL,
                "which format? brazier collapse FORMAT [FILE...]; "
                "FORMAT may be guess");
    else if (take_words(s, words, &r) && cli_check_input(s, r.n_inputs, NULL))
        status = cli_request_run(s, &r);
    cli_request_finish(&r);
    return status;
}

static void help(brz_session *s, char **words, FILE *out)
{
    const brz_component *c = NULL;
    size_t n;
    fputs("Reads a profiler's output and writes folded stacks: a line for each distinct\n"
          "stack, frames joined by ';', and how much it weighs.\n\n"
          "    perf script | brazier collapse perf | brazier flamegraph > flame.svg\n",
          out);
    if (first_word(words) != NULL && find_component(s, first_word(words), &c, &n) && n > 0) {
        fprintf(out, "\n%s: %s.\n", c->id, c->summary);
        if (c->help != NULL)
            fprintf(out, "%s\n", c->help);
        fprintf(out, "\nOptions of %s:\n", c->id);
        cli_print_component_options(out, c);
    } else {
        fputs("\nbrazier collapse FORMAT --help tells a format's options; brazier plugin list\n"
              "the formats there are.\n",
              out);
    }
    cli_print_section(out, "Output", cli_output_options);
    cli_print_section(out, "Input", cli_input_options);
    cli_print_section(out, "Transforms, in the order given", cli_transform_options);
}

const cli_command cmd_collapse = {
    "collapse", "FORMAT [FILE...] [OPTION...]", "turn a profile into folded stacks", run, help,
    NULL,
};
