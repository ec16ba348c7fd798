/* SPDX-License-Identifier: MIT */
/* Names system calls. */
#include "base/system_call.h"

#include "base/built_with.h"

#if BRZ_HAVE_SECCOMP
#include <sys/syscall.h>
#endif

#if BRZ_HAVE_SECCOMP

typedef struct call_name {
    long number;
    const char *name;
} call_name;

/* The system calls that plug-ins are likely to use. */
static const call_name call_names[] = {
#ifdef SYS_open
    {SYS_open, "open"},
#endif
#ifdef SYS_fork
    {SYS_fork, "fork"},
    {SYS_vfork, "vfork"},
#endif
#ifdef SYS_unlink
    {SYS_unlink, "unlink"},
    {SYS_rename, "rename"},
    {SYS_mkdir, "mkdir"},
    {SYS_stat, "stat"},
    {SYS_access, "access"},
#endif
#ifdef SYS_newfstatat
    {SYS_newfstatat, "newfstatat"},
#endif
    {SYS_openat, "openat"},
    {SYS_unlinkat, "unlinkat"},
    {SYS_clone, "clone"},
    {SYS_execve, "execve"},
    {SYS_exit_group, "exit_group"},
    {SYS_socket, "socket"},
    {SYS_connect, "connect"},
    {SYS_write, "write"},
    {SYS_kill, "kill"},
    {SYS_tgkill, "tgkill"},
    {SYS_ptrace, "ptrace"},
    {SYS_prctl, "prctl"},
    {SYS_chdir, "chdir"},
    {SYS_umask, "umask"},
    {SYS_ioctl, "ioctl"},
    {SYS_fcntl, "fcntl"},
    {SYS_dup, "dup"},
    {SYS_mmap, "mmap"},
    {SYS_mprotect, "mprotect"},
    {SYS_fstat, "fstat"},
    {SYS_rt_sigaction, "rt_sigaction"},
    {SYS_setitimer, "setitimer"},
    {SYS_getcwd, "getcwd"},
    {SYS_uname, "uname"},
};

const char *brz_system_call_name(const siginfo_t *info)
{
    static char number[16];
    for (size_t i = 0; i < sizeof call_names / sizeof call_names[0]; i++)
        if (call_names[i].number == info->si_syscall)
            return call_names[i].name;
    size_t at = sizeof number - 1;
    unsigned left = (unsigned)info->si_syscall;
    do {
        number[--at] = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    return number + at;
}

#else

const char *brz_system_call_name(const siginfo_t *info)
{
    (void)info;
    return "";
}

#endif
