/* SPDX-License-Identifier: MIT */
/* Takes the options that every command has from a command line. */
#include <string.h>

#include "cli.h"
#include "base/mem.h"

enum {
    OPT_HELP = 1,
    OPT_VERSION,
    OPT_QUIET,
    OPT_VERBOSE,
    OPT_CONFIG,
    OPT_NO_CONFIG,
    OPT_TRUST_CONFIG,
    OPT_PLUGIN,
    OPT_PLUGIN_DIR,
    OPT_NO_PLUGINS,
};

const cli_option cli_global_options[] = {
    {"help", 'h', NULL, "describe the command", OPT_HELP},
    {"version", 'V', NULL, "print the version", OPT_VERSION},
    {"quiet", 'q', NULL, "show only errors", OPT_QUIET},
    {"verbose", 'v', NULL, "show more; twice: for debugging", OPT_VERBOSE},
    {"config", 0, "FILE", "use this configuration instead of the project's", OPT_CONFIG},
    {"no-config", 0, NULL, "use only the shipped configuration", OPT_NO_CONFIG},
    {"trust-config", 0, NULL, "trust a configuration that was found like a named one",
     OPT_TRUST_CONFIG},
    {"plugin", 0, "FILE", "use this plug-in", OPT_PLUGIN},
    {"plugin-dir", 0, "DIR", "search for plug-ins in this folder first", OPT_PLUGIN_DIR},
    {"no-plugins", 0, NULL, "use only shipped plug-ins", OPT_NO_PLUGINS},
    {NULL, 0, NULL, NULL, 0},
};

static void add_word(const char ***list, size_t *n, const char *word)
{
    *list = brz_realloc(*list, *n + 1, sizeof **list);
    (*list)[(*n)++] = word;
}

static void take_global(cli_globals *g, int id, const char *value)
{
    switch (id) {
    case OPT_HELP:
        g->help = true;
        break;
    case OPT_VERSION:
        g->version = true;
        break;
    case OPT_QUIET:
        g->verbosity = -1;
        break;
    case OPT_VERBOSE:
        g->verbosity = g->verbosity < 0 ? 1 : g->verbosity + 1;
        break;
    case OPT_CONFIG:
        g->session.config_file = value;
        break;
    case OPT_NO_CONFIG:
        g->session.flags &= ~BRAZIER_FIND_CONFIG;
        break;
    case OPT_TRUST_CONFIG:
        g->session.flags |= BRAZIER_TRUST_CONFIG;
        break;
    case OPT_PLUGIN:
        add_word(&g->plugin_files, &g->session.n_plugin_files, value);
        break;
    case OPT_PLUGIN_DIR:
        add_word(&g->plugin_dirs, &g->session.n_plugin_dirs, value);
        break;
    default:
        g->session.flags |= BRAZIER_SHIPPED_ONLY;
    }
}

static const cli_option *global_called(const char *word, size_t len)
{
    for (const cli_option *o = cli_global_options; o->name != NULL; o++)
        if (strlen(o->name) == len && memcmp(o->name, word, len) == 0)
            return o;
    return NULL;
}

/* Removes global options from the beginning of a word of letters, such as "-vj2", and returns the
 * rest ("-j2"), or NULL. */
static char *take_letters(cli_globals *g, char *word)
{
    size_t n = 0;
    while (word[n + 1] != '\0' && strchr("hVqv", word[n + 1]) != NULL)
        n++;
    for (size_t i = 1; i <= n; i++)
        for (const cli_option *o = cli_global_options; o->name != NULL; o++)
            if (o->letter == word[i])
                take_global(g, o->id, NULL);
    word[n] = '-';
    return word[n + 1] != '\0' ? word + n : NULL;
}

void cli_globals_drop_config(cli_globals *g)
{
    g->session.flags &= BRAZIER_SHIPPED_ONLY;
    g->session.config_file = NULL;
}

bool cli_globals_take(cli_globals *g, char **words, brz_console *console)
{
    char **kept = words;
    for (; *words != NULL && strcmp(*words, "--") != 0; words++) {
        char *word = *words;
        bool one_dash = word[0] == '-' && word[1] != '-' && word[1] != '\0';
        const cli_option *whole = one_dash ? global_called(word + 1, strlen(word + 1)) : NULL;
        if (whole != NULL && whole->value == NULL) { /* -help */
            take_global(g, whole->id, NULL);
            continue;
        }
        if (one_dash && (word = take_letters(g, word)) == NULL)
            continue;
        size_t len =
            strncmp(word, "--", 2) == 0 ? (size_t)(strchrnul(word + 2, '=') - word - 2) : 0;
        const cli_option *o = len > 0 ? global_called(word + 2, len) : NULL;
        if (o == NULL) {
            *kept++ = word;
            continue;
        }
        const char *value = word[2 + len] == '=' ? word + 3 + len : NULL;
        if (o->value != NULL && value == NULL)
            value = words[1] != NULL ? *++words : NULL;
        if ((o->value != NULL) != (value != NULL)) {
            brz_say(console, BRZ_FATAL, "--%s %s", o->name,
                    o->value != NULL ? "needs a value" : "takes no value");
            return false;
        }
        take_global(g, o->id, value);
    }
    while (*words != NULL)
        *kept++ = *words++;
    *kept = NULL;
    g->session.plugin_files = g->plugin_files;
    g->session.plugin_dirs = g->plugin_dirs;
    return true;
}
