/* SPDX-License-Identifier: MIT */
/* Handles signals that end the program: SIGINT, SIGTERM and SIGHUP.
 *
 * The first one asks the run to stop, so that it ends like a failed run. If a run does not stop
 * within some time, the program ends, with a message if a plug-in is running. A second signal
 * ends the program at once. No temporary files remain in any case.
 */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <sys/time.h>
#include <sys/types.h>

#include "base/run.h"

/* Installs the handlers. A run has some time to stop when it was asked to. */
void cli_interrupt_install(struct timeval wait);

/* Sets the run that an interrupt stops; NULL: none. */
void cli_interruptible(brz_run *run);

/* Returns the exit status of an interrupted program, or else `status`. */
int cli_interrupt_status(int status);

/* Sends the signal that has interrupted the program, if one has, to a child process and to those
 * that it has started. */
void cli_interrupt_pass_on(pid_t process);

#endif
