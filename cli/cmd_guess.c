/* brazier guess: says which format a file is in. */
#include <stdlib.h>

#include "cli.h"

static const cli_option options[] = {{NULL, 0, NULL, NULL, 0}};
static const cli_option *const tables[] = {options, NULL};

/* Prints "FILE: FORMAT (SCORE)", or says why not. */
static bool guess_file(brz_session *s, const char *path)
{
    brz_buf text = {0};
    brz_source *source = brz_source_open(path, false, &text);
    bool good = source != NULL;
    if (good) {
        brz_feed feed;
        brz_feed_init(&feed, source);
        brz_guess g = brz_guess_format(s->registry, &feed);
        good = g.winner != NULL;
        if (good)
            printf("%s: %s (%d)\n", source->name, g.winner->component->id, (int)g.items[0].score);
        else
            brz_guess_explain(&g, &feed, &text);
        brz_guess_finish(&g);
        brz_feed_finish(&feed);
        brz_source_close(source);
    }
    if (!good)
        brz_say(&s->console, BRZ_FATAL, "%s", brz_buf_text(&text));
    brz_buf_finish(&text);
    return good;
}

static int run(brz_session *s, char **words)
{
    cli_args a = {.words = words, .tables = tables, .console = &s->console};
    bool good = true, any = false;
    for (;;) {
        switch (cli_args_next(&a)) {
        case CLI_END:
            if (!any && !cli_check_input(s, 0, NULL))
                return CLI_USAGE;
            if (!any)
                good = guess_file(s, NULL);
            return good ? CLI_OK : CLI_FAILED;
        case CLI_WORD:
            good &= guess_file(s, a.value);
            any = true;
            break;
        case CLI_UNKNOWN:
            cli_args_say_unknown(&a, NULL, 0);
            return CLI_USAGE;
        default:
            return CLI_USAGE;
        }
    }
}

static void help(brz_session *s, char **words, FILE *out)
{
    (void)s;
    (void)words;
    fputs("Says which format each file is in and how sure that is (40: it has the shape,\n"
          "90: a header that nothing else has, 100: a magic number).\n",
          out);
}

const cli_command cmd_guess = {
    "guess", "[FILE...]", "say which format a file is in", run, help,
};
