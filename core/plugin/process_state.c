/* SPDX-License-Identifier: MIT */
/* Reports plug-ins that change the working directory or the umask. */
#include "plugin/process_state.h"

#include <signal.h>
#include <stddef.h>

/* Global because the state is that of the process, and signal handlers restore it too. */
static void (*record)(void); /* NULL: nothing to record, or it is recorded */
static const char *(*restore)(void);
static volatile sig_atomic_t is_recorded;

void brz_process_state_install(void (*record_it)(void), const char *(*restore_it)(void))
{
    record = record_it;
    restore = restore_it;
    is_recorded = false;
}

void brz_process_state_record(void)
{
    if (record != NULL && !is_recorded) {
        record();
        is_recorded = true;
    }
}

const char *brz_process_state_restore(void)
{
    return is_recorded ? restore() : NULL;
}

void brz_process_state_check(const brz_loaded *plugin, const char *phase, brz_console *console)
{
    const char *what = plugin->is_shipped ? NULL : brz_process_state_restore();
    if (what != NULL)
        brz_say_code(console, BRZ_WARNING, "host.contract",
                     "plug-in %s %s (%s), %s: it changed %s; restored", plugin->plugin,
                     plugin->version, plugin->path, phase, what);
}
