/* SPDX-License-Identifier: MIT */
/* brazier plugin new: creates a project for a plug-in. */
#ifndef BRZ_CLI_PLUGIN_NEW_H
#define BRZ_CLI_PLUGIN_NEW_H

#include "cli.h"

/* The options of the command, for help. */
extern const cli_option cli_plugin_new_options[];

int cli_plugin_new(brz_session *s, char **words);

#endif
