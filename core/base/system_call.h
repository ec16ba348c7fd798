/* SPDX-License-Identifier: MIT */
/* Returns names of system calls, for messages about calls that the sandbox refused. */
#ifndef BRZ_SYSTEM_CALL_H
#define BRZ_SYSTEM_CALL_H

#include <signal.h>

/* Returns the name, or else the number, of the system call that caused SIGSYS; empty on systems
 * without seccomp. Safe in a signal handler; valid until the next call. */
const char *brz_system_call_name(const siginfo_t *info);

#endif
