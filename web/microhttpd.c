/* SPDX-License-Identifier: MIT */
/* Loads libmicrohttpd. */
#include "web/microhttpd.h"

#include <dlfcn.h>
#include <string.h>

#ifdef __APPLE__
#define LIBRARY "libmicrohttpd.12.dylib"
#else
#define LIBRARY "libmicrohttpd.so.12"
#endif

/* Loads a function. ISO C has no conversion from object pointers to functions. */
static bool load(void *library, const char *name, void *to)
{
    void *found = dlsym(library, name);
    memcpy(to, &found, sizeof found);
    return found != NULL;
}

static bool load_all(brz_microhttpd *m)
{
    return load(m->library, "MHD_start_daemon", &m->start_daemon) &&
           load(m->library, "MHD_stop_daemon", &m->stop_daemon) &&
           load(m->library, "MHD_get_daemon_info", &m->get_daemon_info) &&
           load(m->library, "MHD_lookup_connection_value", &m->lookup_connection_value) &&
           load(m->library, "MHD_create_response_from_buffer", &m->create_response_from_buffer) &&
           load(m->library, "MHD_create_response_from_callback",
                &m->create_response_from_callback) &&
           load(m->library, "MHD_add_response_header", &m->add_response_header) &&
           load(m->library, "MHD_queue_response", &m->queue_response) &&
           load(m->library, "MHD_destroy_response", &m->destroy_response);
}

bool brz_microhttpd_load(brz_microhttpd *m, brz_buf *error)
{
    *m = (brz_microhttpd){.library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL)};
    if (m->library != NULL && load_all(m))
        return true;
    brz_buf_printf(error, "serving a page needs %s (Debian: libmicrohttpd12): %s", LIBRARY,
                   m->library == NULL ? dlerror() : "it lacks a function");
    return false;
}
