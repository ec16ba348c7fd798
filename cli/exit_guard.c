/* SPDX-License-Identifier: MIT */
/* Replaces _exit() for the whole process. A plug-in that calls it would end the run without output
 * and with any status, unnoticed. The dynamic linker prefers the program's definition to that of
 * the C library, whose internal calls are not affected. */
#include <sys/syscall.h>
#include <unistd.h>

#include "base/sanitized.h"
#include "plugin/crash.h"

/* Sanitizers replace _exit() themselves. */
#if defined(SYS_exit_group) && !BRZ_SANITIZED

static _Noreturn void end(int status)
{
    brz_crash_blame_exit();
    for (;;)
        syscall(SYS_exit_group, status);
}

__attribute__((visibility("default"))) _Noreturn void _exit(int status)
{
    end(status);
}

__attribute__((visibility("default"))) _Noreturn void _Exit(int status)
{
    end(status);
}

#endif
