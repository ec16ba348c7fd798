/* Names of system calls, for messages about one that the sandbox refused. */
#ifndef BRZ_SYSTEM_CALL_H
#define BRZ_SYSTEM_CALL_H

#include <signal.h>

/* Returns the name, or else the number, of the system call that SIGSYS is about; empty where the
 * system has no seccomp. Fit for a signal handler; valid until the next call. */
const char *brz_system_call_name(const siginfo_t *info);

#endif
