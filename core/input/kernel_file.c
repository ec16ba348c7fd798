/* SPDX-License-Identifier: MIT */
/* Recognises files that the kernel makes when they are opened or read. */
#include "input/kernel_file.h"

#if defined __linux__
#include <linux/magic.h>
#include <sys/vfs.h>

#include <stddef.h>

static bool is_of_kernel(const struct statfs *of)
{
    static const unsigned long types[] = {
        PROC_SUPER_MAGIC, SYSFS_MAGIC,    DEBUGFS_MAGIC,      TRACEFS_MAGIC,  SECURITYFS_MAGIC,
        BPF_FS_MAGIC,     EFIVARFS_MAGIC, CGROUP_SUPER_MAGIC, NSFS_MAGIC,     CGROUP2_SUPER_MAGIC,
        SELINUX_MAGIC,    SMACK_MAGIC,    PSTOREFS_MAGIC,     BINFMTFS_MAGIC, RDTGROUP_SUPER_MAGIC,
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if ((unsigned long)of->f_type == types[i])
            return true;
    return false;
}

bool brz_is_kernel_path(const char *path)
{
    struct statfs of;
    return statfs(path, &of) == 0 && is_of_kernel(&of);
}

bool brz_is_kernel_file(int fd)
{
    struct statfs of;
    return fstatfs(fd, &of) == 0 && is_of_kernel(&of);
}
#else
bool brz_is_kernel_path(const char *path)
{
    (void)path;
    return false;
}

bool brz_is_kernel_file(int fd)
{
    (void)fd;
    return false;
}
#endif
