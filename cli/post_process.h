/* SPDX-License-Identifier: MIT */
/* Passes the folded stacks of a recording through a command of the user (--post-process). */
#ifndef BRZ_CLI_POST_PROCESS_H
#define BRZ_CLI_POST_PROCESS_H

#include "cli.h"

/* A request that folds, and the files before and after the command. */
typedef struct cli_post_process {
    cli_request request;
    int folded, result; /* descriptors; -1: none */
} cli_post_process;

/* Creates the files. Returns false after reporting an error. */
bool cli_post_process_begin(cli_post_process *p, brz_console *console);

/* Runs the request, and the command on its folded stacks. Returns an exit status. */
int cli_post_process_fold(cli_post_process *p, brz_session *s, const char *command);

void cli_post_process_finish(cli_post_process *p);

#endif
