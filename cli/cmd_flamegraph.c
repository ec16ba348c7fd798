/* SPDX-License-Identifier: MIT */
/* brazier flamegraph: draws folded stacks. */
#include "component_options.h"

static const cli_option *const tables[] = {cli_other_names, NULL};

static const cli_syntax syntax = {.tables = tables,
                                  .sections = BRZ_RUN_ABOUT_OUTPUT | BRZ_RUN_ABOUT_INPUT |
                                              BRZ_RUN_ABOUT_TRANSFORMS | BRZ_RUN_ABOUT_COMPARISON |
                                              BRZ_RUN_ABOUT_SUM,
                                  .output = "svg",
                                  .format = "folded"};

static int run(brz_session *s, char **words)
{
    cli_request r = {0};
    int status = CLI_USAGE;
    if (cli_request_words(s, &syntax, words, &r) && cli_check_input(s, r.n_inputs, NULL))
        status = cli_request_run(s, &r);
    cli_request_finish(&r);
    return status;
}

static void help(brz_session *s, char **words, FILE *out)
{
    fputs("Reads folded stacks and draws them as an SVG on standard output, unless -o or\n"
          "--to choose another output. --from reads another format.\n\n"
          "    brazier flamegraph stacks.folded > flame.svg\n",
          out);
    cli_components_help(s, &syntax, words, out);
    cli_print_run_section(out, "Output", BRZ_RUN_ABOUT_OUTPUT);
    cli_print_run_section(out, "Input", BRZ_RUN_ABOUT_INPUT);
    cli_print_run_section(out, "Several inputs", BRZ_RUN_ABOUT_SUM);
    cli_print_run_section(out, "Comparisons: lines with two counts", BRZ_RUN_ABOUT_COMPARISON);
    cli_print_run_section(out, "Transforms, in the order given", BRZ_RUN_ABOUT_TRANSFORMS);
}

const cli_command cmd_flamegraph = {
    "flamegraph", "[FILE...] [OPTION...]", "draw folded stacks", run, help, NULL,
};
