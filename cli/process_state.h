/* SPDX-License-Identifier: MIT */
/* Protects the working directory and the umask of the program from changes by plug-ins. */
#ifndef CLI_PROCESS_STATE_H
#define CLI_PROCESS_STATE_H

/* Installs functions that record and restore the state (see plugin/process_state.h). */
void cli_process_state_install(void);

#endif
