/* Prints completion scripts for the options of a tool. */
#include "completions.h"

#include <stdio.h>
#include <string.h>

#include "options.h"

static const compat_option *first_option(const compat_tool *t, size_t *table, size_t *row)
{
    *table = *row = 0;
    return compat_next_option(t, table, row);
}

static void print_bash(const compat_tool *t)
{
    size_t table, row;
    printf("complete -o default -W '");
    for (const compat_option *o = first_option(t, &table, &row); o != NULL;
         o = compat_next_option(t, &table, &row))
        printf("--%s ", o->name);
    printf("' %s\n", t->name);
}

/* Prints a help text without quotes. */
static void print_plain(const char *help)
{
    for (; *help != '\0'; help++)
        if (strchr("'[]:", *help) == NULL)
            putchar(*help);
}

static void print_zsh(const compat_tool *t)
{
    size_t table, row;
    printf("#compdef %s\n_arguments '*:file:_files'", t->name);
    for (const compat_option *o = first_option(t, &table, &row); o != NULL;
         o = compat_next_option(t, &table, &row)) {
        printf(" \\\n    '--%s%s[", o->name,
               o->value != COMPAT_NONE && o->value != COMPAT_OPTIONAL ? "=" : "");
        print_plain(o->help);
        printf("]'");
    }
    printf("\n");
}

static void print_fish(const compat_tool *t)
{
    size_t table, row;
    for (const compat_option *o = first_option(t, &table, &row); o != NULL;
         o = compat_next_option(t, &table, &row)) {
        printf("complete -c %s -l %s", t->name, o->name);
        if (o->letter != 0)
            printf(" -s %c", o->letter);
        printf("%s -d '", o->value != COMPAT_NONE && o->value != COMPAT_OPTIONAL ? " -r" : "");
        print_plain(o->help);
        printf("'\n");
    }
}

int cargo_print_completions(compat_words *w)
{
    static const struct {
        const char *shell;
        void (*print)(const compat_tool *t);
    } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
    const char *wanted = compat_noted_value(w, CARGO_COMPLETIONS);
    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++)
        if (strcmp(wanted, shells[i].shell) == 0) {
            shells[i].print(w->tool);
            return 0;
        }
    compat_refuse(w, "--completions takes bash, zsh or fish, not '%s'", wanted);
    return w->status;
}
