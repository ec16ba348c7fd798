/* SPDX-License-Identifier: MIT */
/* A tool that brazier replaces: its name, its options, and the rules for its words. */
#ifndef BRZ_CLI_COMPAT_TOOL_H
#define BRZ_CLI_COMPAT_TOOL_H

#include <stdbool.h>
#include <stddef.h>

/* The value that an option takes. */
typedef enum compat_value {
    COMPAT_NONE,
    COMPAT_TEXT,
    COMPAT_INTEGER,
    COMPAT_REAL,
    COMPAT_BACKGROUND, /* yellow, blue, green, grey or #rrggbb */
    COMPAT_VARIABLE,   /* NAME=VALUE, a variable of awk */
    COMPAT_OPTIONAL,   /* a text, or nothing if the next word is an option */
} compat_value;

/* An option of a tool. A table of them ends with a row that has neither name nor letter. */
typedef struct compat_option {
    const char *name; /* without dashes; NULL: only a letter */
    char letter;      /* 0: none */
    compat_value value;
    const char *help;
    const char *ours; /* brazier's words, with "%" for the value, followed by the unit of a value
                         without one; NULL: the option has no effect */
    bool repeats;     /* inferno accepts it more than once */
    int note;         /* 0, or the number by which the tool's own code finds the option */
} compat_option;

struct compat_words;

/* Parses the words of a command line by a tool's rules, up to a NULL. Returns false after reporting
 * an error if the tool refuses them. */
typedef bool compat_read_fn(struct compat_words *w, char **words);

/* The treatment of a file that cannot be opened. */
typedef enum compat_missing {
    COMPAT_MISSING_FAILS, /* the run fails */
    COMPAT_MISSING_SKIPS, /* the run uses the files that can be opened, possibly none */
    COMPAT_MISSING_ERRNO, /* the run ends with the error's number as its status */
} compat_missing;

struct cli_compat;

/* Does what a tool does before brazier runs, such as building a program. Returns the exit status if
 * that fails, which is reported, or if nothing is left to do; otherwise -1. */
typedef int compat_prepare_fn(struct cli_compat *c);

/* Does what a tool does after the run of brazier, whose exit status is `status`. Returns the exit
 * status. */
typedef int compat_complete_fn(struct cli_compat *c, int status);

/* A variable of an awk script. A table of them ends with a row without a name. */
typedef struct compat_variable {
    const char *name;
    bool if_zero;     /* the words count if the value is 0, instead of another one */
    const char *ours; /* brazier's words; NULL: the variable has no effect */
} compat_variable;

/* A tool. */
typedef struct compat_tool {
    const char *name;
    const char *const *command; /* brazier's words, up to a NULL */
    const char *summary;        /* a sentence for the help; NULL: one about the command */
    const char *takes;          /* the words that follow the options, for the help; NULL: files */
    const compat_option *const *options;
    const char *const (*conflicts)[2]; /* pairs of options that exclude each other, up to a NULL;
                                          NULL: none */
    compat_read_fn *read;
    size_t most_files;
    int usage_status;  /* for refused words */
    int failed_status; /* for a failed run; 0: that of the run */
    compat_missing missing;
    const compat_variable *variables; /* NULL: none */
    bool is_script;                   /* a FlameGraph script: a closed pipe ends it by SIGPIPE */
    const char *subcommand;           /* the first word, if cargo runs the tool; NULL: none */
    bool takes_command;               /* words after "--" are a command */
    bool uses_config;                 /* reads the configuration, as brazier does */
    compat_prepare_fn *prepare;       /* NULL: none */
    compat_complete_fn *complete;     /* NULL: none */
} compat_tool;

/* Returns the row at `*table`, `*row` and advances both; returns NULL at the end. Both begin with
 * 0. */
const compat_option *compat_next_option(const compat_tool *t, size_t *table, size_t *row);

#endif
