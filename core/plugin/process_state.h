/* Restores the working directory and the umask of the process after a plug-in changed them.
 *
 * Only the main program does this. In the process of another program, the threads of that program
 * may change both at any time.
 */
#ifndef BRZ_PROCESS_STATE_H
#define BRZ_PROCESS_STATE_H

#include <stdbool.h>

#include "base/diag.h"
#include "plugin/loaded.h"

/* Records the present state as the one to restore. Call it once, in the main program, before any
 * thread is started; without it, the functions below do nothing. */
void brz_process_state_record(void);

/* Restores the recorded state. Returns the name of the part that had changed, or NULL. Keeps errno. Safe
 * in signal handlers. */
const char *brz_process_state_restore(void);

/* Restores the recorded state and reports a change as a warning that names the plug-in and `phase`,
 * its function as in brz_call_enter(). */
void brz_process_state_check(const brz_loaded *plugin, const char *phase, brz_console *console);

#endif
