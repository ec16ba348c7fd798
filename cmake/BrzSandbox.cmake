# SPDX-License-Identifier: MIT
# Checks which sandbox features the system's headers support. Kernel support is checked at run time.

include(CheckCSourceCompiles)

check_c_source_compiles("
    #include <linux/audit.h>
    #include <linux/filter.h>
    #include <linux/seccomp.h>
    #include <sys/prctl.h>
    #include <sys/syscall.h>
    int main(void)
    {
        return PR_SET_NO_NEW_PRIVS + (int)SECCOMP_RET_KILL_PROCESS + __NR_clone3 + __NR_rseq;
    }" BRZ_HAVE_SECCOMP)
check_c_source_compiles("
    #include <linux/landlock.h>
    #include <sys/prctl.h>
    #include <sys/syscall.h>
    int main(void)
    {
        return PR_SET_NO_NEW_PRIVS + LANDLOCK_CREATE_RULESET_VERSION +
               SYS_landlock_create_ruleset + SYS_landlock_restrict_self;
    }" BRZ_HAVE_LANDLOCK)
