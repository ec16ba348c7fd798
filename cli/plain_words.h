/* SPDX-License-Identifier: MIT */
/* Parses the words of a command that has options of one table, and few other words. */
#ifndef BRZ_CLI_PLAIN_WORDS_H
#define BRZ_CLI_PLAIN_WORDS_H

#include "cli.h"

/* Limit on the words. */
#define CLI_PLAIN_WORDS 65

/* The words that are no options. */
typedef struct cli_plain_words {
    const char *items[CLI_PLAIN_WORDS];
    size_t n, most; /* `most`: how many the command takes; the last ones are files */
} cli_plain_words;

/* Takes an option. Returns false after reporting an invalid value. */
typedef bool cli_take_option(brz_session *s, void *request, const cli_args *a);

/* Parses words. `options` and `take` may be NULL. Returns false after reporting an error. */
bool cli_take_plain_words(brz_session *s, char **words, const cli_option *options,
                          cli_take_option *take, void *request, cli_plain_words *plain);

#endif
