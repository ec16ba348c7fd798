/* Protects the working directory and the umask of the program from changes by plug-ins. */
#ifndef CLI_PROCESS_STATE_H
#define CLI_PROCESS_STATE_H

/* Records the current state and installs a function that restores it (see plugin/process_state.h).
 * Call it once, before starting any thread. */
void cli_process_state_record(void);

#endif
