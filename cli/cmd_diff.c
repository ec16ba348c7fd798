/* SPDX-License-Identifier: MIT */
/* brazier diff: compares two profiles. */
#include "component_options.h"

#include <string.h>

static const cli_option *const tables[] = {NULL};

static const cli_syntax syntax = {.tables = tables,
                                  .sections = BRZ_RUN_ABOUT_OUTPUT | BRZ_RUN_ABOUT_INPUT |
                                              BRZ_RUN_ABOUT_TRANSFORMS | BRZ_RUN_ABOUT_COMPARISON |
                                              BRZ_RUN_ABOUT_DIFF,
                                  .output = "folded",
                                  .names_pipeline = true,
                                  .compares = true};

/* Makes the first word the pipeline if it is the name of one, and no file. Returns whether it is.
 */
static bool take_pipeline(brz_session *s, cli_request *r)
{
    if (r->n_inputs == 0 || cli_is_file(r->inputs[0]) || !cli_is_pipeline(s, r->inputs[0]))
        return false;
    brazier_pipeline_set(r->pipeline, "pipeline", r->inputs[0], NULL);
    r->n_inputs--;
    memmove(r->inputs, r->inputs + 1, r->n_inputs * sizeof *r->inputs);
    return true;
}

static int run(brz_session *s, char **words)
{
    cli_request r = {0};
    int status = CLI_USAGE;
    if (cli_request_words(s, &syntax, words, &r)) {
        bool has_pipeline = take_pipeline(s, &r);
        if ((r.n_inputs == 0 && !has_pipeline) || r.n_inputs > 2)
            brz_say(&s->console, BRZ_FATAL, "diff compares two files: brazier diff BEFORE AFTER");
        else
            status = cli_request_run(s, &r);
    }
    cli_request_finish(&r);
    return status;
}

static void help(brz_session *s, char **words, FILE *out)
{
    static const char *const refused[] = {"flamechart", "flamechart-back", NULL};
    fputs("Compares two profiles of any format. In the picture, frames that became heavier\n"
          "are red, and frames that became lighter are blue. Without -o, it writes folded\n"
          "stacks with two counts to standard output.\n\n"
          "    brazier diff before.folded after.folded -o diff.svg\n"
          "    brazier diff old.perf.txt new.perf.txt -n -o diff.svg -o diff.folded\n"
          "    brazier diff perf.txt --before 0s..5s --after 5s..10s -o diff.svg\n"
          "    brazier diff before.folded after.folded --fail-if 'total(parse) > +5%'\n"
          "    brazier diff cpu before.folded after.folded\n"
          "\n"
          "A threshold is total(REGEX) or self(REGEX), one of > >= < <=, and an amount:\n"
          "100 or 10%, the weight or share in AFTER; +100, +5% or +2pp, the change of the\n"
          "weight, in its unit or in per cent, or of the share in percentage points.\n"
          "A PIPELINE of the configuration may have thresholds under the key fail-if.\n",
          out);
    cli_print_run_section(out, "Comparison", BRZ_RUN_ABOUT_DIFF | BRZ_RUN_ABOUT_COMPARISON);
    cli_print_run_section_beside(out, "Output", BRZ_RUN_ABOUT_OUTPUT, NULL, refused);
    cli_components_help(s, &syntax, words, out);
    cli_print_run_section(out, "Input", BRZ_RUN_ABOUT_INPUT);
    cli_print_run_section(out, "Transforms, in the order given", BRZ_RUN_ABOUT_TRANSFORMS);
}

const cli_command cmd_diff = {
    "diff", "[PIPELINE] BEFORE AFTER [-o FILE]... [OPTION...]", "compare two profiles", run, help,
    NULL,
};
