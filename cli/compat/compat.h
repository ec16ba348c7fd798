/* SPDX-License-Identifier: MIT */
/* Runs the program under the names of the tools that it replaces. */
#ifndef BRZ_CLI_COMPAT_H
#define BRZ_CLI_COMPAT_H

#include "call.h"

/* Translates a tool's command line to words of brazier's. The tool's name is the last part of
 * argv[0], or follows "--as" in argv[2]. Returns the exit status if the words are refused, which is
 * reported, or answered (--help); otherwise -1. */
int cli_compat_init(cli_compat *c, char **argv, brz_console *console);
void cli_compat_finish(cli_compat *c);

/* Does what the tool does before brazier runs with the words. Returns the exit status if that
 * fails, which is reported; otherwise -1. */
int cli_compat_prepare(cli_compat *c);

/* Returns true if SIGPIPE ends the tool without a message, as it ends scripts. */
bool cli_compat_is_script(const cli_compat *c);

/* Does what the tool does after the run. Returns the tool's exit status that corresponds to
 * brazier's. */
int cli_compat_complete(cli_compat *c, int status);

#endif
