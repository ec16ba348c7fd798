/* SPDX-License-Identifier: MIT */
/* brazier format: tries, drafts and checks formats in YAML. */
#include <string.h>

#include "config/project_file.h"
#include "format/format_check.h"
#include "format/format_new.h"
#include "format/format_try.h"

static int run(brz_session *s, char **words)
{
    static const cli_subcommand subcommands[] = {{"try", cli_format_try},
                                                 {"new", cli_format_new},
                                                 {"check", cli_format_check},
                                                 {NULL, NULL}};
    return cli_run_subcommand(s, "format", subcommands, words);
}

static void help(brz_session *s, char **words, FILE *out)
{
    (void)s;
    fputs("try FILE              show what each line of a file is in a format\n"
          "new NAME FILE         write a first guess at the format of a file\n"
          "check NAME [FILE...]  test a format like a plug-in\n"
          "\n"
          "The manual page brazier.yaml lists the keys of a format. The options of its\n"
          "shape: brazier collapse lines --help, or blocks, indented, calls.\n",
          out);
    bool is_any = words[0] == NULL || words[0][0] == '-';
    if (is_any || strcmp(words[0], "new") == 0)
        cli_print_section(out, "For new", cli_format_new_options);
    if (is_any || strcmp(words[0], "check") == 0)
        cli_print_section(out, "For check", cli_format_check_options);
    if (!is_any && strcmp(words[0], "try") != 0)
        return;
    cli_print_section(out, "For try", cli_format_try_options);
    cli_format_try_letters(out);
}

/* Returns the configuration that -f names, or NULL. */
static const char *named_config(char **words)
{
    if (strcmp(words[0], "try") == 0)
        return cli_format_try_config(words + 1);
    return strcmp(words[0], "check") == 0 ? cli_format_check_config(words + 1) : NULL;
}

/* Uses the configuration of `try -f FILE` and `check -f FILE`. For `new`, none: it does not depend
 * on the folder. */
static void prepare(cli_globals *g, char **words)
{
    if (words[0] == NULL || g->help)
        return;
    if (strcmp(words[0], "new") == 0)
        cli_globals_drop_config(g);
    const char *file = named_config(words);
    if (file == NULL)
        return;
    g->session.config_file = file;
    if (brz_project_file_is_named(file))
        g->session.flags |= BRAZIER_DISTRUST_CONFIG;
}

const cli_command cmd_format = {
    "format",
    "try FILE | new NAME FILE | check NAME [FILE...]",
    "try, draft and check formats in YAML",
    run,
    help,
    prepare,
};
