/* SPDX-License-Identifier: MIT */
/* Finds the viewer. */
#include "view/view.h"

#ifdef BRZ_VIEW_LINKED

const brz_view *brz_view_load(brz_buf *error)
{
    (void)error;
    brz_terminal_guard_set(brz_view_linked()->guard());
    return brz_view_linked();
}

#else

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/version.h"
#include "plugin/installation.h"

/* Stores the path of the module, which is beside the folder of the shipped plug-ins. Returns false
 * if it is too long. */
static bool find_module(char path[PATH_MAX])
{
    brz_installation here;
    brz_installation_find(&here);
    brz_installation_plugin_dir(&here, path);
    char *slash = strrchr(path, '/');
    if (slash == NULL || (size_t)(slash - path) + sizeof "/" BRZ_VIEW_MODULE > PATH_MAX)
        return false;
    strcpy(slash, "/" BRZ_VIEW_MODULE);
    return true;
}

/* Returns the viewer of a module, or NULL. */
static const brz_view *view_of(void *handle)
{
    brz_view_entry *entry = NULL;
    void *symbol = dlsym(handle, "brz_view_module");
    memcpy(&entry, &symbol, sizeof entry); /* C has no conversion of data to functions */
    return entry == NULL ? NULL : entry();
}

/* Makes a module end like the program without memory, and the program restore the terminal. */
static void connect_to_program(const brz_view *view)
{
    view->set_out_of_memory(brz_out_of_memory);
    brz_terminal_guard_set(view->guard());
}

const brz_view *brz_view_load(brz_buf *error)
{
    char path[PATH_MAX];
    if (!find_module(path) || access(path, F_OK) != 0) {
        brz_buf_add_text(error, "this build of brazier has no viewer, which needs ncurses");
        return NULL;
    }
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const brz_view *view = handle == NULL ? NULL : view_of(handle);
    if (view == NULL)
        brz_buf_printf(error, "the viewer cannot be loaded: %s", dlerror());
    else if (strcmp(view->version, BRZ_VERSION) != 0)
        brz_buf_printf(error, "%s belongs to brazier %s", path, view->version);
    else {
        connect_to_program(view);
        return view;
    }
    return NULL;
}

#endif
