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
} compat_option;

struct compat_words;

/* Parses the words of a command line by a tool's rules, up to a NULL. Returns false after reporting
 * an error if the tool refuses them. */
typedef bool compat_read_fn(struct compat_words *w, char **words);

/* The treatment of a file that cannot be opened. */
typedef enum compat_missing {
    COMPAT_MISSING_FAILS, /* the run fails */
    COMPAT_MISSING_SKIPS, /* the run uses the other files, even if there are none */
    COMPAT_MISSING_ERRNO, /* the run ends with the error's number as its status */
} compat_missing;

/* A tool. */
typedef struct compat_tool {
    const char *name;
    const char *command[12]; /* brazier's words, up to a NULL */
    const compat_option *const *options;
    const char *const (*conflicts)[2]; /* pairs of options that exclude each other, up to a NULL;
                                          NULL: none */
    compat_read_fn *read;
    size_t most_files;
    int usage_status;  /* for refused words */
    int failed_status; /* for a failed run */
    compat_missing missing;
    bool is_script; /* a FlameGraph script: a closed pipe ends it by SIGPIPE */
} compat_tool;

/* Returns the row at `*table`, `*row` and advances both; returns NULL at the end. Both begin with
 * 0. */
const compat_option *compat_next_option(const compat_tool *t, size_t *table, size_t *row);

#endif
