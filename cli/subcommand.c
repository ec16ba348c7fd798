/* SPDX-License-Identifier: MIT */
/* Runs subcommands. */
#include <string.h>

#include "cli.h"
#include "base/suggest.h"

int cli_run_subcommand(brz_session *s, const char *command, const cli_subcommand *table,
                       char **words)
{
    brz_buf b = {0};
    const char *word = words[0] != NULL ? words[0] : "";
    brz_suggestion near = {.typed = brz_str_of_text(word)};
    for (const cli_subcommand *c = table; c->name != NULL; c++) {
        if (strcmp(c->name, word) == 0) {
            brz_buf_finish(&b);
            return c->run(s, words + 1);
        }
        brz_suggestion_offer(&near, c->name);
        brz_buf_printf(&b, "%s%s", c == table ? "" : ", ", c->name);
    }
    if (words[0] == NULL) {
        brz_say(&s->console, BRZ_FATAL, "brazier %s needs a command: %s", command,
                brz_buf_text(&b));
    } else {
        brz_buf_clear(&b);
        brz_suggestion_add(&near, &b);
        brz_say(&s->console, BRZ_FATAL, "no command '%s %s'%s", command, word, brz_buf_text(&b));
    }
    brz_buf_finish(&b);
    return CLI_USAGE;
}
