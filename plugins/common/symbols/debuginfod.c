/* SPDX-License-Identifier: MIT */
/* Fetches files by their build ids from servers of debugging information. */
#include "debuginfod.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIBRARY "libdebuginfod.so.1"

/* Number of successive requests without an answer, after which no further ones are sent. */
#define FAILURES_MAX 3

typedef int fetch_call(void *client, const unsigned char *id, int len, char **path);
typedef int progress_call(void *client, long part, long whole);

/* Functions of libdebuginfod. */
struct debuginfod_calls {
    void *(*begin)(void);
    void (*end)(void *client);
    fetch_call *fetch[2]; /* by debuginfod_kind */
    void (*set_progress)(void *client, progress_call *);
    void (*set_data)(void *client, void *data);
};

/* ---- library -------------------------------------------------------------------------------- */

/* Loads a function. ISO C has no conversion from object pointers to functions. */
static bool load(void *library, const char *name, void *to)
{
    void *found = dlsym(library, name);
    memcpy(to, &found, sizeof found);
    return found != NULL;
}

static bool load_all(void *library, struct debuginfod_calls *c)
{
    return load(library, "debuginfod_begin", &c->begin) &&
           load(library, "debuginfod_end", &c->end) &&
           load(library, "debuginfod_find_executable", &c->fetch[DEBUGINFOD_PROGRAM]) &&
           load(library, "debuginfod_find_debuginfo", &c->fetch[DEBUGINFOD_DEBUG]) &&
           load(library, "debuginfod_set_progressfn", &c->set_progress) &&
           load(library, "debuginfod_set_user_data", &c->set_data);
}

/* Ends a download when the run ends. The library passes nothing but the client, whose data are
 * looked up. */
static int stop_download(void *client, long part, long whole)
{
    void *(*get_data)(void *) = NULL;
    void *library = dlopen(LIBRARY, RTLD_LAZY | RTLD_NOLOAD);
    (void)part;
    (void)whole;
    if (library == NULL)
        return 0;
    const debuginfod *d =
        load(library, "debuginfod_get_user_data", &get_data) ? get_data(client) : NULL;
    dlclose(library);
    return d != NULL && d->ctx->host->stopped(d->ctx);
}

/* Connects to the servers. The library stays loaded: others may use it, and it cannot be removed
 * from memory safely. Returns why there is no connection, or NULL. */
static const char *connect_servers(debuginfod *d)
{
    const char *urls = getenv("DEBUGINFOD_URLS");
    if (urls == NULL || *urls == '\0')
        return "the variable DEBUGINFOD_URLS names no server";
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    struct debuginfod_calls *calls = d->ctx->host->alloc(d->ctx, sizeof *calls, 0);
    if (library == NULL || !load_all(library, calls))
        return "libdebuginfod is not installed";
    d->client = calls->begin();
    if (d->client == NULL)
        return "libdebuginfod does not start";
    d->calls = calls;
    calls->set_data(d->client, d);
    calls->set_progress(d->client, stop_download);
    return NULL;
}

/* ---- requests ------------------------------------------------------------------------------- */

/* Notes the answer to a request: a descriptor, or a negative error number. */
static void take_answer(debuginfod *d, int answer)
{
    bool is_answer = answer >= 0 || answer == -ENOENT;
    d->found += answer >= 0;
    d->failed = is_answer ? 0 : d->failed + 1;
    if (d->failed == FAILURES_MAX)
        d->failure = "the servers do not answer";
}

bool debuginfod_fetch(debuginfod *d, enum debuginfod_kind kind, const uint8_t *id, size_t len,
                      brz_text *path)
{
    char *name = NULL;
    if (!d->is_opened)
        d->failure = connect_servers(d);
    d->is_opened = true;
    if (d->failure != NULL || len == 0 || d->ctx->host->stopped(d->ctx))
        return false;
    d->asked++;
    int fd = d->calls->fetch[kind](d->client, id, (int)len, &name);
    take_answer(d, fd);
    if (fd >= 0)
        close(fd); /* the host opens the file, by its rules */
    bool good = fd >= 0 && name != NULL;
    path->len = 0;
    if (good)
        brz_text_append(path, d->ctx, brz_str_of_text(name));
    free(name);
    return good;
}

void debuginfod_close(debuginfod *d)
{
    if (d->client != NULL)
        d->calls->end(d->client);
    d->client = NULL;
}
