/* SPDX-License-Identifier: MIT */
/* brazier format check: tests a format of a configuration like a plug-in. */
#ifndef BRZ_CLI_FORMAT_CHECK_H
#define BRZ_CLI_FORMAT_CHECK_H

#include "cli.h"

int cli_format_check(brz_session *s, char **words);

#endif
