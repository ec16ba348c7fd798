/* SPDX-License-Identifier: MIT */
/* brazier format new: writes a first guess at the format of a file. */
#ifndef BRZ_CLI_FORMAT_NEW_H
#define BRZ_CLI_FORMAT_NEW_H

#include "cli.h"

extern const cli_option cli_format_new_options[];

int cli_format_new(brz_session *s, char **words);

#endif
