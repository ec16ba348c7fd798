/* SPDX-License-Identifier: MIT */
/* Restores the working directory and the umask of the process after a plug-in changed them.
 *
 * Only the main program does this, with a function that it installs. In the process of another
 * program, the threads of that program may change both at any time.
 */
#ifndef BRZ_PROCESS_STATE_H
#define BRZ_PROCESS_STATE_H

#include "base/diag.h"
#include "plugin/loaded.h"

/* Installs the functions that the two functions below call; NULL: none. */
void brz_process_state_install(void (*record)(void), const char *(*restore)(void));

/* Records the state unless that was done. Call it before any other thread is started, and before
 * code of a plug-in that is not shipped can run. Only such a plug-in is expected to change it. */
void brz_process_state_record(void);

/* Restores the state, if it was recorded. Returns a description of the part that had changed, or
 * NULL. Safe in signal handlers. */
const char *brz_process_state_restore(void);

/* Restores the state and reports a change as a warning that names the plug-in and `phase`, its
 * function as in brz_call_enter(). Does nothing for shipped plug-ins, which tests check. */
void brz_process_state_check(const brz_loaded *plugin, const char *phase, brz_console *console);

#endif
