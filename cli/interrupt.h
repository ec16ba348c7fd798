/* Signals that ask the program to end: SIGINT, SIGTERM and SIGHUP.
 *
 * The first one asks the run to stop, so that it ends as a failed one does. A run that does not
 * stop within half a second is ended, with a message if a plug-in is at work. A second signal ends
 * the program at once. No temporary files are left in any case.
 */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include "base/run.h"

void cli_interrupt_install(void);

/* From now on, an interruption stops that run; NULL: none. */
void cli_interruptible(brz_run *run);

/* Returns the exit status of a program that was interrupted, or else `status`. */
int cli_interrupt_status(int status);

#endif
