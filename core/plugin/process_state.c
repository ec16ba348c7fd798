/* Restores the working directory and the umask of the process. */
#include "plugin/process_state.h"

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

/* The recorded state. It is global because it describes the process. */
static bool is_recorded;
static char folder[PATH_MAX]; /* empty if unknown, for example because it was removed */
static struct stat identity;  /* of the folder; its name may change */
static mode_t mask;

/* Returns the umask. No system call reads it without setting it. */
static mode_t current_mask(void)
{
    mode_t m = umask(0);
    umask(m);
    return m;
}

void brz_process_state_record(void)
{
    if (getcwd(folder, sizeof folder) == NULL || stat(".", &identity) != 0)
        folder[0] = '\0';
    mask = current_mask();
    is_recorded = true;
}

/* Returns true if the working directory had changed and could be restored. */
static bool restore_folder(void)
{
    struct stat now;
    if (folder[0] == '\0' ||
        (stat(".", &now) == 0 && now.st_dev == identity.st_dev && now.st_ino == identity.st_ino))
        return false;
    return chdir(folder) == 0;
}

const char *brz_process_state_restore(void)
{
    if (!is_recorded)
        return NULL;
    int error = errno;
    bool moved = restore_folder(), masked = umask(mask) != mask;
    errno = error;
    return moved && masked ? "the working directory and the umask"
           : moved         ? "the working directory"
           : masked        ? "the umask"
                           : NULL;
}

void brz_process_state_check(const brz_loaded *plugin, const char *phase, brz_console *console)
{
    const char *what = brz_process_state_restore();
    if (what != NULL)
        brz_say_code(console, BRZ_WARNING, "host.contract",
                     "plug-in %s %s (%s), %s: it changed %s; restored", plugin->plugin,
                     plugin->version, plugin->path, phase, what);
}
