/* Where an output's bytes go. */
#include "sink.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mem.h"

#define BUFFER ((size_t)256 << 10)

/* So much of a file's name is in that of the temporary one, which may not be longer than NAME_MAX.
 */
#define LONGEST_NAME 200

struct brz_file_sink {
    brz_sink base; /* first */
    brz_console *console;
    char *name;      /* as given, or "stdout" */
    char *path;      /* what it will be renamed to; NULL when written directly */
    char *temporary; /* where it is until then; NULL once it is renamed */
    int fd;
    bool is_stdout;
    char *buffer;
    size_t used;
    bool failed;
    brz_file_sink *next; /* in the list of those to be removed at exit */
};

/* ---- files that must not stay behind ------------------------------------------------------- */

/* Whatever way the process ends: exit() after running out of memory goes through here too. */
static brz_file_sink *unfinished;
static pthread_mutex_t unfinished_lock = PTHREAD_MUTEX_INITIALIZER;

void brz_file_sinks_discard(void)
{
    for (brz_file_sink *f = unfinished; f != NULL; f = f->next)
        if (f->temporary != NULL)
            unlink(f->temporary);
}

static void keep_in_mind(brz_file_sink *f)
{
    static bool registered;
    pthread_mutex_lock(&unfinished_lock);
    if (!registered)
        atexit(brz_file_sinks_discard);
    registered = true;
    f->next = unfinished;
    unfinished = f;
    pthread_mutex_unlock(&unfinished_lock);
}

static void forget(const brz_file_sink *f)
{
    pthread_mutex_lock(&unfinished_lock);
    brz_file_sink **at = &unfinished;
    while (*at != NULL && *at != f)
        at = &(*at)->next;
    if (*at != NULL)
        *at = f->next;
    pthread_mutex_unlock(&unfinished_lock);
}

/* ---- writing ------------------------------------------------------------------------------- */

static void fail(brz_file_sink *f, const char *what)
{
    if (!f->failed)
        brz_say(f->console, BRZ_FATAL, "%s: %s: %s", f->name, what,
                errno == EPIPE ? "its reader has closed it" : strerror(errno));
    f->failed = true;
}

static void write_out(brz_file_sink *f, const char *data, size_t len)
{
    while (len > 0 && !f->failed) {
        ssize_t n = write(f->fd, data, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            fail(f, "cannot be written");
            return;
        }
        data += n;
        len -= (size_t)n;
    }
}

static void flush(brz_file_sink *f)
{
    write_out(f, f->buffer, f->used);
    f->used = 0;
}

static brz_rc sink_write(brz_sink *base, const void *data, size_t len)
{
    brz_file_sink *f = (brz_file_sink *)base;
    bool direct = len >= BUFFER / 8; /* copying it would cost more than a call */
    if (direct || len > BUFFER - f->used)
        flush(f);
    if (direct) {
        write_out(f, data, len);
    } else if (len > 0) {
        memcpy(f->buffer + f->used, data, len);
        f->used += len;
    }
    return f->failed ? BRZ_ERROR : BRZ_OK;
}

/* ---- opening ------------------------------------------------------------------------------- */

/* The mode a file that open() creates would get. */
static mode_t default_mode(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* Creates the file to write to beside the one it will become. */
static bool open_temporary(brz_file_sink *f, const char *path, mode_t mode)
{
    const char *slash = strrchr(path, '/');
    int dir = slash == NULL ? 0 : (int)(slash - path) + 1;
    brz_buf b = {0};
    brz_buf_printf(&b, "%.*s.%.*s.XXXXXX", dir, path, LONGEST_NAME, path + dir);
    f->fd = mkostemp(b.data, O_CLOEXEC);
    if (f->fd < 0) {
        fail(f, "cannot be created");
        brz_buf_finish(&b);
        return false;
    }
    f->path = brz_memdup(path, strlen(path));
    f->temporary = b.data;
    keep_in_mind(f);
    if (fchmod(f->fd, mode) != 0)
        fail(f, "cannot be created");
    return !f->failed;
}

/* Where a path leads to of which the last part is not there: links are followed, as open() does.
 * False if there are too many of them. */
static bool follow_links(const char *path, char to[PATH_MAX])
{
    char link[PATH_MAX], joined[2 * PATH_MAX];
    ssize_t n;
    snprintf(to, PATH_MAX, "%s", path);
    for (int links = 0; (n = readlink(to, link, sizeof link - 1)) >= 0; links++) {
        link[n] = '\0';
        const char *slash = link[0] == '/' ? NULL : strrchr(to, '/');
        int dir = slash == NULL ? 0 : (int)(slash - to) + 1;
        snprintf(joined, sizeof joined, "%.*s%s", dir, to, link);
        size_t size = strlen(joined) + 1;
        if (links == 40 || size > PATH_MAX)
            return false;
        memcpy(to, joined, size);
    }
    return true;
}

static bool open_path(brz_file_sink *f, const char *path)
{
    char real[PATH_MAX];
    struct stat st;
    if (stat(path, &st) != 0) {
        if (path[0] != '\0' && strlen(path) < PATH_MAX && follow_links(path, real))
            return open_temporary(f, real, default_mode());
        fail(f, "cannot be created");
        return false;
    }
    if (S_ISREG(st.st_mode)) {
        if (access(path, W_OK) != 0) {
            fail(f, "cannot be written");
            return false;
        }
        return open_temporary(f, realpath(path, real) != NULL ? real : path, st.st_mode & 07777);
    }
    f->fd = open(path, O_WRONLY | O_CLOEXEC);
    if (f->fd < 0)
        fail(f, "cannot be opened");
    return f->fd >= 0;
}

/* How wide the terminal is, 0 if it is none. COLUMNS wins, as everywhere. */
static uint32_t terminal_columns(int fd)
{
    struct winsize size;
    if (!isatty(fd))
        return 0;
    const char *wish = getenv("COLUMNS");
    long columns = wish == NULL ? 0 : strtol(wish, NULL, 10);
    if (columns > 0 && columns <= UINT16_MAX)
        return (uint32_t)columns;
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 80;
}

brz_file_sink *brz_file_sink_open(const char *path, brz_console *console)
{
    bool is_stdout = path == NULL || strcmp(path, "-") == 0;
    brz_file_sink *f = brz_calloc(1, sizeof *f);
    f->base.struct_size = sizeof f->base;
    f->base.write = sink_write;
    f->console = console;
    f->name = is_stdout ? brz_memdup("stdout", 6) : brz_memdup(path, strlen(path));
    f->is_stdout = is_stdout;
    f->fd = is_stdout ? STDOUT_FILENO : -1;
    f->buffer = brz_malloc(BUFFER);
    if (!is_stdout && !open_path(f, path)) {
        brz_file_sink_destroy(f);
        return NULL;
    }
    f->base.columns = terminal_columns(f->fd);
    return f;
}

brz_sink *brz_file_sink_sink(brz_file_sink *f)
{
    return &f->base;
}

const char *brz_file_sink_name(const brz_file_sink *f)
{
    return f->name;
}

/* ---- closing ------------------------------------------------------------------------------- */

static void close_file(brz_file_sink *f)
{
    if (f->fd >= 0 && !f->is_stdout && close(f->fd) != 0)
        fail(f, "cannot be written");
    f->fd = -1;
}

bool brz_file_sink_complete(brz_file_sink *f)
{
    flush(f);
    if (f->temporary != NULL && !f->failed && fsync(f->fd) != 0)
        fail(f, "cannot be written");
    close_file(f);
    return !f->failed;
}

bool brz_file_sink_commit(brz_file_sink *f)
{
    if (f->temporary == NULL || f->failed)
        return !f->failed;
    if (rename(f->temporary, f->path) != 0) {
        fail(f, "cannot be given its name");
        return false;
    }
    free(f->temporary);
    f->temporary = NULL;
    return true;
}

void brz_file_sink_destroy(brz_file_sink *f)
{
    if (f == NULL)
        return;
    close_file(f);
    if (f->temporary != NULL)
        unlink(f->temporary);
    forget(f);
    free(f->name);
    free(f->path);
    free(f->temporary);
    free(f->buffer);
    free(f);
}
