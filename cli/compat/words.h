/* SPDX-License-Identifier: MIT */
/* Collects brazier's words for a tool's words. */
#ifndef BRZ_CLI_COMPAT_WORDS_H
#define BRZ_CLI_COMPAT_WORDS_H

#include "base/arena.h"
#include "base/diag.h"
#include "tool.h"

/* An option for the tool's own code. */
typedef struct compat_noted {
    int note;
    const char *value; /* NULL: none */
} compat_noted;

typedef struct compat_words {
    const compat_tool *tool;
    brz_console *console;
    brz_arena *text;
    char **list; /* ends with a NULL */
    size_t n, cap;
    size_t n_files, n_missing;
    compat_noted *noted;
    size_t n_noted, noted_cap;
    char **command; /* words after "--", up to a NULL; NULL: none */
    int status;     /* the exit status for refused words */
    bool help;
} compat_words;

void compat_add(compat_words *w, const char *word);

/* Adds a word that is made like printf() makes it. */
void compat_addf(compat_words *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns the last value of a noted option, "" if it has none, or NULL without the option. */
const char *compat_noted_value(const compat_words *w, int note);

void compat_words_finish(compat_words *w);

/* Adds brazier's word for an option; `value` is NULL if it takes none. Returns false after
 * reporting an error if the value is invalid. */
bool compat_add_option(compat_words *w, const compat_option *o, const char *value);

/* Adds an input, or a variable of awk. Returns false after reporting an error if the tool accepts
 * no more. */
bool compat_add_file(compat_words *w, const char *word);

/* Reports a word that the tool refuses. Always returns false. */
bool compat_refuse(compat_words *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Reports that the tool has no option `name`, which the user typed as `word`. Always returns false.
 */
bool compat_refuse_unknown(compat_words *w, const char *word, const char *name);

#endif
