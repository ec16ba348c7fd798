/* brazier merge: adds up profiles. */
#include "component_options.h"
#include "file_list.h"

static const cli_option *const tables[] = {cli_file_list_options, NULL};

static const cli_syntax syntax = {.tables = tables,
                                  .sections = BRZ_RUN_ABOUT_OUTPUT | BRZ_RUN_ABOUT_INPUT |
                                              BRZ_RUN_ABOUT_TRANSFORMS | BRZ_RUN_ABOUT_SUM,
                                  .output = "folded",
                                  .updates = true,
                                  .take = cli_file_list_take};

static int run(brz_session *s, char **words)
{
    cli_file_list list = {.console = &s->console};
    cli_request r = {.own = &list};
    int status = CLI_USAGE;
    if (cli_request_words(s, &syntax, words, &r) && cli_file_list_check(&list)) {
        if (!cli_file_list_read(&list, &r))
            status = CLI_FAILED;
        else if (cli_check_input(s, r.n_inputs, NULL))
            status = cli_request_run(s, &r);
    }
    cli_request_finish(&r);
    cli_file_list_finish(&list);
    return status;
}

static void help(brz_session *s, char **words, FILE *out)
{
    fputs("Adds up profiles of any format and writes folded stacks to standard output,\n"
          "unless -o names another output. The result does not depend on the order of the\n"
          "files, or on merging some of them first. Folded stacks in order, as brazier\n"
          "writes them, take little memory; other profiles take more for each distinct\n"
          "stack.\n\n"
          "    brazier merge host1.folded host2.folded.gz host3.perf.txt > all.folded\n"
          "    find . -name '*.folded' -print0 | brazier merge --files-from - -o all.folded\n",
          out);
    cli_print_section(out, "Many files", cli_file_list_options);
    cli_print_run_section(out, "Output", BRZ_RUN_ABOUT_OUTPUT);
    cli_components_help(s, &syntax, words, out);
    cli_print_run_section(out, "Input", BRZ_RUN_ABOUT_INPUT);
    cli_print_run_section(out, "Several inputs", BRZ_RUN_ABOUT_SUM);
    cli_print_run_section(out, "Transforms, in the order given", BRZ_RUN_ABOUT_TRANSFORMS);
}

const cli_command cmd_merge = {
    "merge", "[FILE...] [-o FILE]... [OPTION...]", "add up profiles", run, help, NULL,
};
