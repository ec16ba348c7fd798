/* SPDX-License-Identifier: MIT */
/* Waits for child processes, and ends them with this program. */
#ifndef CLI_CHILD_H
#define CLI_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

/* Time between two checks of a process, in milliseconds. */
#define CLI_CHILD_LOOK_MS 20

/* Passes the signal that has interrupted the program on to a child process, once. The signal may
 * come right before a call that waits, so such calls wait for CLI_CHILD_LOOK_MS only. */
void cli_child_pass_on(pid_t process, bool *was_passed_on);

/* Waits for a child process. Returns its exit status, or 128 plus the number of the signal that
 * ended it. */
int cli_child_wait(pid_t process);

#endif
