/* The working directory and the umask of the program, which plug-ins must not change. */
#ifndef CLI_PROCESS_STATE_H
#define CLI_PROCESS_STATE_H

/* Records the present state and installs a function that restores it (see plugin/process_state.h).
 * Call it once, before any thread is started. */
void cli_process_state_record(void);

#endif
