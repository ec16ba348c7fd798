/* SPDX-License-Identifier: MIT */
/* Counts calls over all threads and forked processes, and says which of them are to go wrong.
 *
 * With FAULT_SERVE, "IN,OUT", the process waits for requests before main() and forks for each:
 * starting a program takes long. A request is a line of the descriptor IN with settings like those
 * of the environment, "AT=5 ONWARDS=1". Standard output and error are files, which are empty for
 * each request. The answer in OUT is a line, the status of waitpid().
 *
 * FAULT_AT is the number of the call, from 0. With FAULT_ONWARDS, all later calls go wrong as well.
 * FAULT_SITES is a file that gets a number of 64 bits for each call when the program returns from
 * main(). Calls with the same stack of callers have the same number, in each run of the same files.
 */
#ifndef FAULTS_COUNTER_H
#define FAULTS_COUNTER_H

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST_CALLS   (1 << 20)
#define MOST_CALLERS 100

/* Memory that is shared with forked processes. */
struct counter {
    atomic_long calls;
    uint64_t sites[MOST_CALLS];
};

static struct counter *counter; /* NULL before the start */
static long fault_at = -1;
static bool fault_onwards;
static const char *sites_path;

/* Set while callers are looked up, which may allocate and read. */
static _Thread_local bool is_looking __attribute__((tls_model("initial-exec")));

/* Adds a place in a file to a hash, wherever the file is loaded. */
static uint64_t add_place(uint64_t hash, const void *place)
{
    Dl_info file;
    if (dladdr(place, &file) == 0)
        return hash;
    for (const char *c = file.dli_fname; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    return (hash ^ ((uintptr_t)place - (uintptr_t)file.dli_fbase)) * 1099511628211u;
}

/* Returns a number of the stack of callers. */
static uint64_t site_here(void)
{
    void *callers[MOST_CALLERS];
    uint64_t site = 14695981039346656037u;
    is_looking = true;
    int n = backtrace(callers, MOST_CALLERS);
    for (int i = 0; i < n; i++)
        site = add_place(site, callers[i]);
    is_looking = false;
    return site;
}

/* Reads the settings of other parts of the library. */
static void read_settings(const char *(*setting)(const char *name));

/* Reads the settings. The first look at callers loads a library, which a sandbox would forbid
 * later. */
static void counter_set(const char *(*setting)(const char *name))
{
    const char *at = setting("AT");
    fault_at = at == NULL ? -1 : strtol(at, NULL, 10);
    fault_onwards = setting("ONWARDS") != NULL;
    sites_path = setting("SITES");
    if (sites_path != NULL)
        site_here();
    read_settings(setting);
}

static const char *setting_of_environment(const char *name)
{
    char whole[40];
    snprintf(whole, sizeof whole, "FAULT_%s", name);
    return getenv(whole);
}

/* ---- requests ------------------------------------------------------------------------------ */

/* The request of this process: words that end with '\0', and an empty one. */
static char request[4096];

static const char *setting_of_request(const char *name)
{
    size_t len = strlen(name);
    for (const char *word = request; *word != '\0'; word += strlen(word) + 1)
        if (strncmp(word, name, len) == 0 && word[len] == '=')
            return word + len + 1;
    return NULL;
}

/* Reads the next request. Returns false if there is none. */
static bool next_request(int in)
{
    size_t len = 0;
    for (char c; syscall(SYS_read, in, &c, 1) == 1 && len < sizeof request - 2;) {
        if (c == '\n') {
            request[len] = request[len + 1] = '\0';
            return true;
        }
        if (c == ' ')
            c = '\0';
        request[len++] = c;
    }
    return false;
}

/* Returns in a process for each request. */
static void serve(int in, int out)
{
    char answer[20];
    int status;
    while (next_request(in)) {
        for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
            if (syscall(SYS_ftruncate, fd, 0L) != 0 || syscall(SYS_lseek, fd, 0L, SEEK_SET) != 0)
                syscall(SYS_exit_group, 99);
        atomic_store(&counter->calls, 0);
        pid_t child = fork();
        if (child == 0) {
            syscall(SYS_close, in);
            syscall(SYS_close, out);
            counter_set(setting_of_request);
            return;
        }
        while (syscall(SYS_wait4, child, &status, 0, NULL) != child)
            ;
        int len = snprintf(answer, sizeof answer, "%d\n", status);
        syscall(SYS_write, out, answer, (size_t)len);
    }
    syscall(SYS_exit_group, 0);
}

/* System calls are made directly: the functions may be interposed in this very file. */
__attribute__((constructor(101))) static void counter_start(void)
{
    char *end = NULL;
    const char *server = getenv("FAULT_SERVE");
    if (server == NULL)
        counter_set(setting_of_environment);
    void *page = (void *)syscall(SYS_mmap, NULL, sizeof *counter, PROT_READ | PROT_WRITE,
                                 MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (page != MAP_FAILED)
        counter = page;
    if (server == NULL)
        return;
    int in = (int)strtol(server, &end, 10);
    if (*end != ',')
        return;
    int out = (int)strtol(end + 1, NULL, 10);
    unsetenv("FAULT_SERVE");
    serve(in, out);
}

/* Counts a call; true if it is to go wrong. */
static bool is_due(void)
{
    if (counter == NULL || is_looking)
        return false;
    long n = atomic_fetch_add(&counter->calls, 1);
    if (sites_path != NULL && n < MOST_CALLS)
        counter->sites[n] = site_here();
    return fault_at >= 0 && (n == fault_at || (fault_onwards && n > fault_at));
}

__attribute__((destructor)) static void counter_report(void)
{
    if (sites_path == NULL || counter == NULL)
        return;
    size_t size = (size_t)atomic_load(&counter->calls) * sizeof counter->sites[0];
    long fd = syscall(SYS_openat, AT_FDCWD, sites_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd >= 0 && size <= sizeof counter->sites &&
        syscall(SYS_write, fd, counter->sites, size) == (long)size)
        syscall(SYS_close, fd);
}

#endif
