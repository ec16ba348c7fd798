/* SPDX-License-Identifier: MIT */
/* Parses the words of a command line one by one against tables of options. */
#ifndef BRZ_CLI_ARGS_H
#define BRZ_CLI_ARGS_H

#include "run/pipeline.h"
#include "request/run_option.h"

/* An option of a command that is not an option of a run. */
typedef struct cli_option {
    const char *name;  /* without dashes */
    char letter;       /* 0: none */
    const char *value; /* name of the value in help; NULL: takes no value */
    const char *help;
    int id;
} cli_option;

/* The kind of the last parsed word. */
typedef enum cli_token {
    CLI_END,
    CLI_WORD,       /* not an option: `value` */
    CLI_OPTION,     /* an option of the tables: `option`, `value` */
    CLI_RUN_OPTION, /* an option of a run: `run_option`, `value` */
    CLI_UNKNOWN,    /* an unknown "--name" or "--name=value": `name`, `value` or NULL */
    CLI_BAD,        /* an error, already reported */
} cli_token;

typedef struct cli_args {
    char **words;                    /* NULL-terminated */
    const cli_option *const *tables; /* NULL-terminated; each ends with a NULL name */
    unsigned sections;               /* options of a run: BRZ_RUN_ABOUT_OUTPUT and others */
    brz_console *console;            /* NULL: errors are not reported */
    bool only_words;                 /* "--" was seen */
    const char *word, *letters;      /* a word such as -qv, and its unparsed rest */
    const cli_option *option;
    const brz_run_option *run_option;
    const char *name, *value;
    size_t name_len;
    bool is_off;    /* `name` is the word that sets a switch of a run to false */
    bool is_letter; /* the last option was given by its letter */
} cli_args;

cli_token cli_args_next(cli_args *a);

/* Inspects words before they are parsed, because the meaning of some depends on others. Calls `see`
 * (or NULL) for each known option and each other word, and returns the first of those words, or
 * NULL. Counts unknown options as switches. `a` holds the words, tables and sections. */
typedef void cli_see_fn(void *context, cli_token token, const cli_args *a);
const char *cli_look_ahead(cli_args a, cli_see_fn *see, void *context);

/* Returns the value of an unknown option that takes one: the text after "=", or the next word.
 * Returns NULL after reporting an error if there is no value. */
const char *cli_args_value(cli_args *a);

/* The options of all commands. */
extern const cli_option cli_global_options[];

/* Reports the last parsed option as unknown. Names the command that has it, or suggests the nearest
 * of the tables, of the components' options and of those of all commands. */
void cli_args_say_unknown(const cli_args *a, const brz_component *const *components, size_t n);

/* Prints a line of help: `left`, with `help` in a column beside it. */
void cli_print_entry(FILE *out, const char *left, const char *help);

/* Prints the table for --help. */
void cli_print_options(FILE *out, const cli_option *table);

/* Prints the options of a run in these sections for --help, without the letters of a table of the
 * command, and without the options of a list of names, which the command refuses. Both may be NULL.
 */
void cli_print_run_options(FILE *out, unsigned sections, const cli_option *table,
                           const char *const *refused);

/* Prints a component's options for --help, without those whose names are in the help of a
 * command by its tables, which are NULL-terminated; or NULL. */
void cli_print_component_options(FILE *out, const brz_component *c,
                                 const cli_option *const *tables);

#endif
