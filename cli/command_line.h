/* SPDX-License-Identifier: MIT */
/* Runs the command line of the program in a process that is prepared for it. */
#ifndef BRZ_CLI_COMMAND_LINE_H
#define BRZ_CLI_COMMAND_LINE_H

#include <stdbool.h>

#include "base/diag.h"

/* Runs the words of argv, which are changed, under the name argv[0]. Messages go to `console`.
 * `has_pipe_signal`: the parent process expects SIGPIPE to end this program. Returns the exit
 * status. */
int cli_command_line_run(char **argv, brz_console *console, bool has_pipe_signal);

#endif
