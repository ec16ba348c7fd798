/* SPDX-License-Identifier: MIT */
/* Restores the working directory and the umask. */
#include "process_state.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugin/process_state.h"

/* The recorded state, which belongs to the process. */
static char folder[PATH_MAX]; /* empty if unknown, for example because it was removed */
static struct stat identity;  /* identifies the folder, whose name may change */
static mode_t mask;

/* Returns the umask. No system call reads it without setting it. */
static mode_t current_mask(void)
{
    mode_t m = umask(0);
    umask(m);
    return m;
}

/* Returns true if the working directory had changed and could be restored. If it is unknown, the
 * system failed rather than a plug-in. */
static bool restore_folder(void)
{
    struct stat now;
    if (folder[0] == '\0' || stat(".", &now) != 0 ||
        (now.st_dev == identity.st_dev && now.st_ino == identity.st_ino))
        return false;
    return chdir(folder) == 0;
}

static const char *restore(void)
{
    int error = errno;
    bool moved = restore_folder(), masked = umask(mask) != mask;
    errno = error;
    return moved && masked ? "the working directory and the umask"
           : moved         ? "the working directory"
           : masked        ? "the umask"
                           : NULL;
}

static void record(void)
{
    if (getcwd(folder, sizeof folder) == NULL || stat(".", &identity) != 0)
        folder[0] = '\0';
    mask = current_mask();
}

void cli_process_state_install(void)
{
    brz_process_state_install(record, restore);
}
