/* Words of a command line, taken one by one against a table of options. */
#ifndef BRZ_CLI_ARGS_H
#define BRZ_CLI_ARGS_H

#include "run/pipeline.h"
#include "run/run_option.h"

/* An option of a command that is not an option of a run. */
typedef struct cli_option {
    const char *name;  /* without dashes */
    char letter;       /* 0: none */
    const char *value; /* what the value is called in help; NULL: takes none */
    const char *help;
    int id;
} cli_option;

/* What the next word turned out to be. */
typedef enum cli_token {
    CLI_END,
    CLI_WORD,       /* no option: `value` */
    CLI_OPTION,     /* one of the tables: `option`, `value` */
    CLI_RUN_OPTION, /* an option of a run: `run_option`, `value` */
    CLI_UNKNOWN,    /* "--name" or "--name=value" that is none of these: `name`, `value` or NULL */
    CLI_BAD,        /* wrong, and said so */
} cli_token;

typedef struct cli_args {
    char **words;                    /* NULL-terminated */
    const cli_option *const *tables; /* NULL-terminated; each ends with a NULL name */
    unsigned sections;               /* options of a run: BRZ_RUN_ABOUT_OUTPUT and others */
    brz_console *console;            /* NULL: what is wrong is not said */
    bool only_words;                 /* "--" was seen */
    const char *word, *letters;      /* a word such as -qv, and what is left of it */
    const cli_option *option;
    const brz_run_option *run_option;
    const char *name, *value;
    size_t name_len;
    bool is_off; /* `name` is the word that sets a switch of a run to false */
} cli_args;

cli_token cli_args_next(cli_args *a);

/* Looks through words before they are taken, because the meaning of some depends on others. Calls
 * `see` (or NULL) for each known option and each other word, and returns the first of those words,
 * or NULL. Counts unknown options as switches. `a` holds the words, tables and sections. */
typedef void cli_see_fn(void *context, cli_token token, const cli_args *a);
const char *cli_look_ahead(cli_args a, cli_see_fn *see, void *context);

/* The value of an unknown option that turned out to take one: what stood behind "=", or the next
 * word. NULL, said so, if there is none. */
const char *cli_args_value(cli_args *a);

/* Options that every command has. */
extern const cli_option cli_global_options[];

/* Says that the option last seen is not known, with the nearest of the tables, of the components'
 * options and of those that every command has. */
void cli_args_say_unknown(const cli_args *a, const brz_component *const *components, size_t n);

/* Prints a line of help: `left`, and `help` in a column beside it. */
void cli_print_entry(FILE *out, const char *left, const char *help);

/* Prints the table for --help. */
void cli_print_options(FILE *out, const cli_option *table);

/* Prints the options of a run in these sections for --help. */
void cli_print_run_options(FILE *out, unsigned sections);

/* Prints a component's options for --help. */
void cli_print_component_options(FILE *out, const brz_component *c);

#endif
