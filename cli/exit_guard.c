/* Replaces _exit() for the whole process. A plug-in that calls it would end the run without output
 * and with any status, unnoticed. The dynamic linker prefers the program's definition to that of
 * the C library, whose internal calls are not affected. */
#include <sys/syscall.h>
#include <unistd.h>

#include "plugin/crash.h"

/* Sanitizers replace _exit() themselves. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define SANITIZED
#endif
#endif

#if defined(SYS_exit_group) && !defined(SANITIZED) && !defined(__SANITIZE_ADDRESS__) &&            \
    !defined(__SANITIZE_THREAD__)

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
