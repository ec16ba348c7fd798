/* Handles signals that end the program: SIGINT, SIGTERM and SIGHUP.
 *
 * The first one asks the run to stop, so that it ends like a failed run. If a run does not stop
 * within half a second, the program ends, with a message if a plug-in is running. A second signal
 * ends the program at once. No temporary files remain in any case.
 */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include "base/run.h"

void cli_interrupt_install(void);

/* Sets the run that an interrupt stops; NULL: none. */
void cli_interruptible(brz_run *run);

/* Returns the exit status of an interrupted program, or else `status`. */
int cli_interrupt_status(int status);

#endif
