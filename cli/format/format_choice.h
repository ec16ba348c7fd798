/* SPDX-License-Identifier: MIT */
/* Chooses the format that brazier format try shows. */
#ifndef BRZ_CLI_FORMAT_CHOICE_H
#define BRZ_CLI_FORMAT_CHOICE_H

#include "config/session.h"
#include "text_file.h"

/* The words of the command line that choose a format. */
typedef struct cli_format_choice {
    const char *input;   /* name of the input for messages */
    const char *name;    /* NULL: the only format, or the one that fits */
    const char *formats; /* the file with the formats, or NULL: the configuration */
} cli_format_choice;

/* Returns the named format, or the only one of the configuration, or the one of its formats that
 * fits the text best, or the guessed one. Returns NULL after reporting an error. */
const brz_loaded *cli_format_choose(brz_session *s, const cli_format_choice *c, cli_text_file *f);

#endif
