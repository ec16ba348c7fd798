/* brazier guess: recognises the format of files. */
#include <string.h>

#include "cli.h"
#include "interrupt.h"
#include "isolate/isolate.h"
#include "collapse/guess.h"
#include "input/feed.h"

enum {
    OPT_ISOLATE = 1,
};

static const cli_option options[] = {
    {"isolate", 0, NULL, "read each file in a separate, sandboxed process", OPT_ISOLATE},
    {NULL, 0, NULL, NULL, 0},
};
static const cli_option *const tables[] = {options, NULL};

/* A file that is guessed in isolation. */
typedef struct look {
    brz_session *session;
    brz_found found;
    bool good;
} look;

/* Prints a file's name with visible control characters: it is untrusted text, and usually goes to a
 * terminal. */
static void print_answer(const char *file, const char *format, int score)
{
    brz_buf name = {0};
    brz_add_printable(&name, brz_str_of(file, strlen(file)));
    printf("%s: %s (%d)\n", brz_buf_text(&name), format, score);
    brz_buf_finish(&name);
}

/* Prints "FILE: FORMAT (SCORE)", or reports an error. */
static void print_guess(look *l, const brz_guess *g)
{
    brz_buf why = {0};
    l->good = g->winner != NULL;
    if (l->good)
        print_answer(l->found.name, g->winner->component->id, (int)g->items[0].score);
    else
        brz_guess_explain(g, l->found.name, &why);
    if (!l->good)
        brz_say(&l->session->console, BRZ_FATAL, "%s", brz_buf_text(&why));
    brz_buf_finish(&why);
}

/* Runs in the child, which ends soon, so it frees nothing. */
static void look_and_give(void *context, brz_run *run, brz_wire_out *out)
{
    const look *l = context;
    brz_feed feed;
    (void)run;
    brz_feed_init(&feed, brz_source_read(&l->found, false));
    brz_guess_give(l->session->registry, &feed, out);
}

static void take_look(void *context, brz_wire_in *in)
{
    look *l = context;
    brz_guess g;
    if (!brz_guess_take(l->session->registry, in, &g))
        return;
    print_guess(l, &g);
    brz_guess_finish(&g);
}

static void look_isolated(look *l)
{
    brz_run run = {.console = &l->session->console};
    brz_isolated task = {
        .run = &run,
        .name = l->found.name,
        .input = l->found.fd,
        .work = look_and_give,
        .take = take_look,
        .context = l,
    };
    brz_registry_load_all(l->session->registry, BRZ_COLLAPSER); /* the child cannot open files */
    cli_interruptible(&run);
    brz_isolate(&task);
    cli_interruptible(NULL);
    brz_found_close(&l->found);
}

static bool guess_isolated(brz_session *s, const char *path)
{
    look l = {.session = s};
    brz_buf error = {0};
    if (brz_source_find(path, &l.found, &error))
        look_isolated(&l);
    else
        brz_say(&s->console, BRZ_FATAL, "%s", brz_buf_text(&error));
    brz_buf_finish(&error);
    return l.good;
}

static bool guess_here(brz_session *s, const char *path)
{
    int score;
    const char *format = brazier_guess_file(brz_lib_session(s), path, &score);
    if (format != NULL)
        print_answer(strcmp(path, "-") == 0 ? "stdin" : path, format, score);
    return format != NULL;
}

static bool guess_file(brz_session *s, const char *path, bool isolate)
{
    return isolate ? guess_isolated(s, path) : guess_here(s, path);
}

static void see_isolate(void *context, cli_token token, const cli_args *a)
{
    (void)a;
    if (token == CLI_OPTION)
        *(bool *)context = true;
}

static int run(brz_session *s, char **words)
{
    cli_args a = {.words = words, .tables = tables, .console = &s->console};
    bool good = true, any = false, isolate = false;
    cli_look_ahead(a, see_isolate, &isolate);
    for (;;) {
        switch (cli_args_next(&a)) {
        case CLI_END:
            if (!any && !cli_check_input(s, 0, NULL))
                return CLI_USAGE;
            if (!any)
                good = guess_file(s, "-", isolate);
            return good ? CLI_OK : CLI_FAILED;
        case CLI_WORD:
            good &= guess_file(s, a.value, isolate);
            any = true;
            break;
        case CLI_OPTION:
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
    fputs("Prints the format of each file with a score (40: similar structure, 90: a header\n"
          "that no other format has, 100: a magic number).\n",
          out);
    cli_print_section(out, "Options", options);
}

const cli_command cmd_guess = {
    "guess", "[FILE...] [--isolate]", "recognise the format of files", run, help, NULL,
};
