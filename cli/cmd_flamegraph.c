/* brazier flamegraph: the second half of a run, from folded stacks to a picture. */
#include <string.h>

#include "cli.h"

static const cli_option *const tables[] = {cli_output_options, cli_input_options,
                                           cli_transform_options, cli_compare_options, NULL};

/* The words after an option's name, or after its letter. */
static const char *option_value(char **words, const char *name, const char *letter)
{
    size_t n = strlen(name);
    for (; *words != NULL; words++) {
        if (strcmp(*words, letter) == 0 || strcmp(*words, name) == 0)
            return words[1];
        if (strncmp(*words, name, n) == 0 && (*words)[n] == '=')
            return *words + n + 1;
    }
    return NULL;
}

/* Adds a component to those whose options are flags of this command, if it is there. */
static void add_component(brz_session *s, uint32_t kind, const char *name,
                          const brz_component **list, size_t *n)
{
    const brz_loaded *l =
        brz_registry_find(s->registry, kind, brz_str_of(name, strlen(name)), NULL);
    if (l != NULL)
        list[(*n)++] = l->component;
}

/* The output and the palette of this call: their options are flags. */
static size_t find_components(brz_session *s, char **words, const brz_component *list[2])
{
    size_t n = 0;
    const char *to = option_value(words, "--to", "-t");
    const char *palette = option_value(words, "--palette", "-p");
    add_component(s, BRZ_OUTPUT, to != NULL ? to : "svg", list, &n);
    add_component(s, BRZ_PALETTE, palette != NULL ? palette : "hot", list, &n);
    return n;
}

static bool take_words(brz_session *s, char **words, cli_request *r)
{
    const brz_component *list[2];
    size_t n = find_components(s, words, list);
    cli_args a = {.words = words, .tables = tables, .console = &s->console};
    for (;;) {
        switch (cli_args_next(&a)) {
        case CLI_END:
            return true;
        case CLI_WORD:
            cli_request_input(r, a.value);
            break;
        case CLI_OPTION:
            if (!cli_request_option(r, &a))
                return false;
            break;
        case CLI_UNKNOWN:
            if (!cli_request_component_option(r, &a, list, n))
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
    r.request.from = "folded";
    r.request.otherwise_to = "svg";
    if (take_words(s, words, &r))
        status = cli_request_run_alone(s, &r);
    cli_request_finish(&r);
    return status;
}

static void help(brz_session *s, char **words, FILE *out)
{
    const brz_component *list[2];
    size_t n = find_components(s, words, list);
    fputs("Reads folded stacks and draws them: an SVG on standard output, unless -o and --to say\n"
          "otherwise. --from reads another format.\n\n"
          "    brazier flamegraph stacks.folded > flame.svg\n",
          out);
    for (size_t i = 0; i < n; i++) {
        fprintf(out, "\nOptions of the %s %s:\n", brz_kind_name(list[i]->kind), list[i]->id);
        cli_print_component_options(out, list[i]);
    }
    cli_print_section(out, "Output", cli_output_options);
    cli_print_section(out, "Input", cli_input_options);
    cli_print_section(out, "Comparisons: lines with two counts", cli_compare_options);
    cli_print_section(out, "Transforms, in the order given", cli_transform_options);
}

const cli_command cmd_flamegraph = {
    "flamegraph", "[FILE...] [OPTION...]", "draw folded stacks", run, help,
};
