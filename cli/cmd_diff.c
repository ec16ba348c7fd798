/* brazier diff: two profiles side by side. */
#include "component_options.h"

enum {
    OPT_NORMALIZE = 1,
    OPT_STRIP_HEX,
    OPT_NORMALIZE_DOWN,
};

static const cli_option own_options[] = {
    {"normalize", 'n', NULL, "scale BEFORE to the weight of AFTER", OPT_NORMALIZE},
    {"normalize-down", 0, NULL, NULL, OPT_NORMALIZE_DOWN},
    {"strip-hex", 0, NULL, "make all addresses (0x...) in names one", OPT_STRIP_HEX},
    {NULL, 0, NULL, NULL, 0},
};

static const cli_option *const tables[] = {own_options,           cli_compare_options,
                                           cli_output_options,    cli_input_options,
                                           cli_transform_options, NULL};

static const cli_transform strip_hex = {
    .name = "rename", .args = {"0x[0-9a-fA-F]+", "0x..."}, .n_args = 2, .origin = "--strip-hex"};

static bool take_option(cli_request *r, const cli_args *a)
{
    switch (a->option->id) {
    case OPT_NORMALIZE:
        r->options.normalize = BRAZIER_NORMALIZE_YES;
        return true;
    case OPT_NORMALIZE_DOWN: /* the same, in whole numbers, as the tools before it do */
        r->options.normalize = BRAZIER_NORMALIZE_FLOOR;
        return true;
    case OPT_STRIP_HEX:
        cli_request_transform(r, strip_hex);
        return true;
    default:
        return cli_request_option(r, a);
    }
}

static const cli_syntax syntax = {
    .tables = tables, .take_option = take_option, .output = "folded", .compares = true};

static int run(brz_session *s, char **words)
{
    cli_request r = {0};
    int status = CLI_USAGE;
    if (cli_request_words(s, &syntax, words, &r)) {
        if (r.n_inputs != 2)
            brz_say(&s->console, BRZ_FATAL, "diff compares two files: brazier diff BEFORE AFTER");
        else
            status = cli_request_run(s, &r);
    }
    cli_request_finish(&r);
    return status;
}

static void help(brz_session *s, char **words, FILE *out)
{
    fputs("Compares two profiles of any format. What became heavier is red in the\n"
          "picture, what became lighter blue. Without -o, folded stacks with two counts go\n"
          "to standard output.\n\n"
          "    brazier diff before.folded after.folded -o diff.svg\n"
          "    brazier diff old.perf.txt new.perf.txt -n -o diff.svg -o diff.folded\n",
          out);
    cli_print_section(out, "Comparison", own_options);
    cli_print_options(out, cli_compare_options);
    cli_print_section(out, "Output", cli_output_options);
    cli_components_help(s, &syntax, words, out);
    cli_print_section(out, "Input", cli_input_options);
    cli_print_section(out, "Transforms, in the order given", cli_transform_options);
}

const cli_command cmd_diff = {
    "diff", "BEFORE AFTER [-o FILE]... [OPTION...]", "compare two profiles", run, help, NULL,
};
