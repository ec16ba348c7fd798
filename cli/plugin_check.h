/* SPDX-License-Identifier: MIT */
/* brazier plugin check: tests a plug-in against the contract. */
#ifndef BRZ_PLUGIN_CHECK_H
#define BRZ_PLUGIN_CHECK_H

#include "cli.h"

extern const cli_option check_options[];

int check_command(brz_session *s, char **words);

#endif
