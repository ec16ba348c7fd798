/* SPDX-License-Identifier: MIT */
/* brazier format try: shows the role of each line of a file in a format. */
#ifndef BRZ_CLI_FORMAT_TRY_H
#define BRZ_CLI_FORMAT_TRY_H

#include "cli.h"

extern const cli_option cli_format_try_options[];

int cli_format_try(brz_session *s, char **words);

/* Prints what the letters in front of lines mean, as a section of the help. */
void cli_format_try_letters(FILE *out);

/* Returns the file of the option that names a configuration, or NULL. */
const char *cli_format_try_config(char **words);

#endif
