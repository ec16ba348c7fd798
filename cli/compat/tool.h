/* Descriptions of the tools that brazier replaces, and the words of ours that their words become.
 */
#ifndef BRZ_CLI_COMPAT_TOOL_H
#define BRZ_CLI_COMPAT_TOOL_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"

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
    const char *ours; /* the same for us, "%" for the value and behind it the unit that a value
                         without one has; NULL: the option has no effect */
    bool repeats;     /* inferno accepts it more than once */
} compat_option;

struct compat_words;

/* Reads the words of a command line by a tool's rules, up to a NULL. Returns false after a message
 * if the tool refuses them. */
typedef bool compat_read_fn(struct compat_words *w, char **words);

/* The treatment of a file that cannot be opened. */
typedef enum compat_missing {
    COMPAT_MISSING_FAILS, /* the run fails */
    COMPAT_MISSING_SKIPS, /* the others are read, and the run goes on without any */
    COMPAT_MISSING_ERRNO, /* the run ends with the error's number as its status */
} compat_missing;

/* A tool. */
typedef struct compat_tool {
    const char *name;
    const char *command[12]; /* ours, up to a NULL */
    const compat_option *const *options;
    const char *const (*conflicts)[2]; /* pairs of options that exclude each other, up to a NULL;
                                          NULL: none */
    compat_read_fn *read;
    size_t most_files;
    int usage_status;  /* for words that are refused */
    int failed_status; /* for a run that fails */
    compat_missing missing;
    bool is_script; /* of FlameGraph: a closed pipe ends it by SIGPIPE */
} compat_tool;

/* Returns the tool with that name, or NULL. */
const compat_tool *compat_find_tool(const char *name);

/* Returns the name of the tool nearest to `name`, or NULL. */
const char *compat_nearest_tool(const char *name);

/* Returns the row at `*table`, `*row`, after which both stand on the next; NULL at the end. Both
 * begin with 0. */
const compat_option *compat_next_option(const compat_tool *t, size_t *table, size_t *row);

/* The words of ours that are made of a tool's words. */
typedef struct compat_words {
    const compat_tool *tool;
    brz_console *console;
    brz_arena *text;
    char **list; /* ends with a NULL */
    size_t n, cap;
    size_t n_files, n_missing;
    int status; /* the exit status of refused words */
    bool help;
} compat_words;

void compat_add(compat_words *w, const char *word);

/* Adds our word for an option; `value` is NULL if it takes none. Returns false after a message if
 * it takes another one. */
bool compat_add_option(compat_words *w, const compat_option *o, const char *value);

/* Adds an input, or a variable of awk. Returns false after a message if there may be no more. */
bool compat_add_file(compat_words *w, const char *word);

/* Reports a word that the tool refuses. Always returns false. */
bool compat_refuse(compat_words *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Reports that the tool has no option `name`, which was typed as `word`. Always returns false. */
bool compat_refuse_unknown(compat_words *w, const char *word, const char *name);

compat_read_fn compat_read_clap, compat_read_getopt_long, compat_read_letters;

#endif
