/* SPDX-License-Identifier: MIT */
/* Prints scripts that complete the options of a tool, from its table of options. */
#include "completions.h"

#include <stdio.h>
#include <string.h>

#include "cli.h"
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

/* PowerShell completes files itself if a script offers nothing. */
static void print_powershell(const compat_tool *t)
{
    size_t table, row;
    printf("Register-ArgumentCompleter -Native -CommandName '%s' -ScriptBlock {\n"
           "    param($word)\n"
           "    if ($word -notlike '-*') { return }\n"
           "    @(\n",
           t->name);
    for (const compat_option *o = first_option(t, &table, &row); o != NULL;
         o = compat_next_option(t, &table, &row)) {
        printf("        , @('--%s', '", o->name);
        print_plain(o->help);
        printf("')\n");
    }
    printf("    ) | Where-Object { $_[0] -like \"$word*\" } | ForEach-Object {\n"
           "        [System.Management.Automation.CompletionResult]::new($_[0], $_[0], "
           "'ParameterName', $_[1])\n"
           "    }\n"
           "}\n");
}

static void print_elvish(const compat_tool *t)
{
    size_t table, row;
    printf("use str\n"
           "set edit:completion:arg-completer[%s] = {|@words|\n"
           "    if (not (str:has-prefix $words[-1] '-')) {\n"
           "        edit:complete-filename $@words\n"
           "        return\n"
           "    }\n",
           t->name);
    for (const compat_option *o = first_option(t, &table, &row); o != NULL;
         o = compat_next_option(t, &table, &row)) {
        printf("    edit:complex-candidate '--%s' &display='--%s  ", o->name, o->name);
        print_plain(o->help);
        printf("'\n");
    }
    printf("}\n");
}

int cargo_print_completions(compat_words *w)
{
    static const struct {
        const char *shell;
        void (*print)(const compat_tool *t);
    } shells[] = {{"bash", print_bash},
                  {"zsh", print_zsh},
                  {"fish", print_fish},
                  {"powershell", print_powershell},
                  {"elvish", print_elvish}};
    const char *wanted = compat_noted_value(w, CARGO_COMPLETIONS);
    for (size_t i = 0; i < BRZ_COUNT_OF(shells); i++)
        if (strcmp(wanted, shells[i].shell) == 0) {
            shells[i].print(w->tool);
            return 0;
        }
    compat_refuse(w, "--completions takes bash, zsh, fish, powershell or elvish, not '%s'", wanted);
    return w->status;
}
