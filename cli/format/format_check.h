/* SPDX-License-Identifier: MIT */
/* brazier format check: tests a format of a configuration like a plug-in. */
#ifndef BRZ_CLI_FORMAT_CHECK_H
#define BRZ_CLI_FORMAT_CHECK_H

#include "cli.h"

extern const cli_option cli_format_check_options[];

/* Returns the file of the option that names a configuration, or NULL. */
const char *cli_format_check_config(char **words);

int cli_format_check(brz_session *s, char **words);

#endif
