/* Reports plug-ins that change the working directory or the umask. */
#include "plugin/process_state.h"

#include <stddef.h>

/* Global because the state is that of the process, and signal handlers restore it too. */
static const char *(*restore)(void);

void brz_process_state_install(const char *(*f)(void))
{
    restore = f;
}

const char *brz_process_state_restore(void)
{
    return restore != NULL ? restore() : NULL;
}

void brz_process_state_check(const brz_loaded *plugin, const char *phase, brz_console *console)
{
    const char *what = plugin->is_shipped ? NULL : brz_process_state_restore();
    if (what != NULL)
        brz_say_code(console, BRZ_WARNING, "host.contract",
                     "plug-in %s %s (%s), %s: it changed %s; restored", plugin->plugin,
                     plugin->version, plugin->path, phase, what);
}
