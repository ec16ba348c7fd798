/* SPDX-License-Identifier: MIT */
/* Parses options of one table and few other words. */
#include "plain_words.h"

static bool take_word(brz_session *s, const char *word, cli_plain_words *plain)
{
    if (plain->n < plain->most) {
        plain->items[plain->n++] = word;
        return true;
    }
    if (plain->most <= 2)
        brz_say(&s->console, BRZ_FATAL, "one FILE is enough, '%s' is too many", word);
    else
        brz_say(&s->console, BRZ_FATAL, "at most %zu files", plain->most - 1);
    return false;
}

bool cli_take_plain_words(brz_session *s, char **words, const cli_option *options,
                          cli_take_option *take, void *request, cli_plain_words *plain)
{
    static const cli_option none[] = {{NULL, 0, NULL, NULL, 0}};
    const cli_option *const tables[] = {options == NULL ? none : options, NULL};
    cli_args a = {.words = words, .tables = tables, .console = &s->console};
    bool good = true;
    for (cli_token t; good && (t = cli_args_next(&a)) != CLI_END;) {
        if (t == CLI_UNKNOWN)
            cli_args_say_unknown(&a, NULL, 0);
        good =
            t == CLI_WORD ? take_word(s, a.value, plain) : t == CLI_OPTION && take(s, request, &a);
    }
    return good;
}
