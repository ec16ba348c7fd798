/* SPDX-License-Identifier: MIT */
/* Destinations of an output's bytes. */
#include "draw/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/make_folders.h"
#include "base/mem.h"
#include "base/temporary.h"
#include "draw/packer.h"

#define BUFFER       ((size_t)256 << 10) /* largest size of the buffer */
#define FIRST_BUFFER ((size_t)4 << 10)

struct brz_file_sink {
    brz_sink base; /* must be first */
    brz_console *console;
    char *name; /* as given, or "stdout" */
    bool is_temporary;
    brz_temporary temporary; /* for a file that appears as a whole */
    int dir;                 /* folder that its names are relative to, or AT_FDCWD */
    int fd;
    brz_write_fn *write; /* receives the bytes instead of a file; or NULL */
    void *context;
    bool is_stdout;
    char *buffer;
    size_t used, cap;   /* `cap` grows up to BUFFER */
    brz_packer *packer; /* compresses the bytes; or NULL */
    bool failed;
};

/* ---- writing ------------------------------------------------------------------------------- */

static void fail(brz_file_sink *f, const char *what)
{
    if (!f->failed)
        brz_say_code(f->console, BRZ_FATAL, BRZ_SAYS_WRITE, "%s: %s: %s", f->name, what,
                     errno == EPIPE ? "its reader has closed it" : strerror(errno));
    f->failed = true;
}

static bool is_pipe_signal_ignored(void)
{
    struct sigaction now;
    return sigaction(SIGPIPE, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

/* Calls write() without raising SIGPIPE for a pipe without readers. */
static ssize_t write_quietly(int fd, const void *data, size_t len)
{
    static const struct timespec at_once = {0, 0};
    sigset_t broken_pipe, before, pending;
    if (is_pipe_signal_ignored())
        return write(fd, data, len);
    sigemptyset(&broken_pipe);
    sigaddset(&broken_pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken_pipe, &before);
    sigpending(&pending);
    ssize_t n = write(fd, data, len);
    int error = errno;
    if (n < 0 && error == EPIPE && !sigismember(&pending, SIGPIPE))
        sigtimedwait(&broken_pipe, NULL, &at_once);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return n;
}

static void pass_to_function(brz_file_sink *f, const char *data, size_t len)
{
    if (len == 0 || f->failed || f->write(f->context, data, len) == 0)
        return;
    f->failed = true;
    brz_say_code(f->console, BRZ_FATAL, BRZ_SAYS_WRITE, "%s: the program's write function failed",
                 f->name);
}

static void write_out(brz_file_sink *f, const char *data, size_t len)
{
    if (f->write != NULL) {
        pass_to_function(f, data, len);
        return;
    }
    while (len > 0 && !f->failed) {
        ssize_t n = f->is_temporary ? write(f->fd, data, len) : write_quietly(f->fd, data, len);
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

/* Implements brz_packed_fn. */
static void write_packed(void *context, const char *data, size_t len)
{
    write_out(context, data, len);
}

/* Writes bytes, compressed if the sink is to do that. */
static void put(brz_file_sink *f, const char *data, size_t len)
{
    if (f->packer == NULL)
        write_out(f, data, len);
    else if (!f->failed)
        brz_packer_add(f->packer, data, len);
}

static void flush(brz_file_sink *f)
{
    put(f, f->buffer, f->used);
    f->used = 0;
}

/* Enlarges the buffer for `len` more bytes, up to its largest size. */
static void grow(brz_file_sink *f, size_t len)
{
    size_t cap = f->cap;
    while (cap < BUFFER && cap - f->used < len)
        cap *= 2;
    if (cap == f->cap)
        return;
    f->buffer = brz_realloc(f->buffer, cap, 1);
    f->cap = cap;
}

static brz_rc sink_write(brz_sink *base, const void *data, size_t len)
{
    brz_file_sink *f = (brz_file_sink *)base;
    bool direct = len >= BUFFER / 8; /* copying would cost more than a call */
    if (!direct)
        grow(f, len);
    if (direct || len > f->cap - f->used)
        flush(f);
    if (direct) {
        put(f, data, len);
    } else if (len > 0) {
        memcpy(f->buffer + f->used, data, len);
        f->used += len;
    }
    return f->failed ? BRZ_ERROR : BRZ_OK;
}

/* ---- opening ------------------------------------------------------------------------------- */

/* Creates the temporary file. `like` describes the file that it will replace, or is NULL. */
static bool open_temporary(brz_file_sink *f, const char *path, const struct stat *like)
{
    f->is_temporary = true;
    if (!brz_temporary_create_unnamed(&f->temporary, f->dir, path, like))
        fail(f, "cannot be created");
    f->fd = f->temporary.fd;
    return !f->failed;
}

/* Resolves a path whose last component does not exist, following links as open() does. Returns
 * false if there are too many links. */
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

/* Returns the descriptor that a path is an alias of, or -1. */
static int descriptor_of(const char *path)
{
    static const char folder[] = "/dev/fd/";
    const char *digits = path + sizeof folder - 1;
    if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    if (strncmp(path, folder, sizeof folder - 1) != 0 || digits[0] == '\0' || strlen(digits) > 6 ||
        digits[strspn(digits, "0123456789")] != '\0')
        return -1;
    return (int)strtol(digits, NULL, 10);
}

static bool open_path(brz_file_sink *f, const char *path)
{
    char real[PATH_MAX];
    struct stat st;
    int descriptor = descriptor_of(path);
    if (descriptor >= 0) {
        f->fd = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        if (f->fd < 0)
            fail(f, "cannot be opened");
        return f->fd >= 0;
    }
    if (stat(path, &st) != 0) {
        if (path[0] != '\0' && strlen(path) < PATH_MAX && follow_links(path, real))
            return open_temporary(f, real, NULL);
        fail(f, "cannot be created");
        return false;
    }
    if (S_ISREG(st.st_mode)) {
        if (access(path, W_OK) != 0 && errno != ENOENT) { /* it may be removed at any time */
            fail(f, "cannot be written");
            return false;
        }
        return open_temporary(f, realpath(path, real) != NULL ? real : path, &st);
    }
    f->fd = open(path, O_WRONLY | O_CLOEXEC);
    if (f->fd < 0)
        fail(f, "cannot be opened");
    return f->fd >= 0;
}

/* Returns the reason why no file can be created in a folder, or NULL. */
static const char *folder_problem(const char *folder)
{
    struct stat st;
    if (stat(folder, &st) != 0)
        return errno == ENOENT ? "it does not exist" : strerror(errno);
    if (!S_ISDIR(st.st_mode))
        return strerror(ENOTDIR);
    return access(folder, W_OK) != 0 ? strerror(errno) : NULL;
}

/* Returns the folder in which a path would be created. */
static brz_buf folder_of(const char *path)
{
    brz_buf folder = {0};
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        brz_buf_add_text(&folder, ".");
    else
        brz_buf_add(&folder, path, slash == path ? 1 : (size_t)(slash - path));
    return folder;
}

/* Returns the nearest folder above a path that exists. */
static brz_buf existing_folder_of(const char *path)
{
    struct stat st;
    brz_buf folder = folder_of(path);
    while (lstat(brz_buf_text(&folder), &st) != 0 && errno == ENOENT && folder.len > 1) {
        brz_buf above = folder_of(brz_buf_text(&folder));
        brz_buf_finish(&folder);
        folder = above;
    }
    return folder;
}

/* Returns whether a path exists, which may be a link without a target. Sets *is_folder if it leads
 * to a folder. */
static bool is_there(const char *path, bool *is_folder)
{
    struct stat st;
    bool exists = lstat(path, &st) == 0;
    bool found = exists && (!S_ISLNK(st.st_mode) || stat(path, &st) == 0);
    *is_folder = found && S_ISDIR(st.st_mode);
    return exists;
}

bool brz_file_sink_check(const char *path, bool makes_folder, brz_console *console)
{
    const char *why = NULL;
    bool is_folder = false, exists = descriptor_of(path) >= 0 || is_there(path, &is_folder);
    brz_buf folder = makes_folder ? existing_folder_of(path) : folder_of(path);
    if (!exists)
        why = folder_problem(brz_buf_text(&folder));
    if (is_folder)
        brz_say_code(console, BRZ_FATAL, BRZ_SAYS_WRITE,
                     "%s: cannot be written: it is a folder; name a file in it", path);
    if (why != NULL)
        brz_say_code(console, BRZ_FATAL, BRZ_SAYS_WRITE,
                     "%s: cannot be created: the folder '%s': %s", path, brz_buf_text(&folder),
                     why);
    brz_buf_finish(&folder);
    return !is_folder && why == NULL;
}

void brz_file_sink_make_folder(const char *path)
{
    brz_make_folders(path, 0777);
}

static bool report_refusal(brz_file_sink *f, brz_refusal why)
{
    if (why == BRZ_REFUSED_ABSENT)
        fail(f, "cannot be created");
    else
        brz_say_code(f->console, BRZ_FATAL, BRZ_SAYS_WRITE, "%s: refused: it %s", f->name,
                     brz_refusal_text(why));
    return false;
}

/* Opens a file below a folder. An existing file must be a regular file that is not executable; its
 * mode is kept. */
static bool open_inside(brz_file_sink *f, const brz_inside *inside)
{
    const char *name;
    struct stat st;
    brz_refusal why;
    brz_beneath_make_parent(inside->folder, inside->path);
    int dir = brz_beneath_open_parent(inside->folder, inside->path, &name, &why);
    if (dir < 0)
        return report_refusal(f, why);
    f->dir = dir;
    why = brz_beneath_check_target(dir, name, &st);
    if (why == BRZ_REFUSED_ABSENT && errno == ENOENT)
        return open_temporary(f, name, NULL);
    if (why != BRZ_REFUSED_NOT)
        return report_refusal(f, why);
    if (faccessat(dir, name, W_OK, 0) != 0 && errno != ENOENT)
        return report_refusal(f, BRZ_REFUSED_ABSENT);
    return open_temporary(f, name, &st);
}

/* Resolves the file that a path leads to, which need not exist. Returns false if that is
 * impossible. */
static bool find_place(const char *path, char to[PATH_MAX])
{
    char real[PATH_MAX], dir[PATH_MAX], joined[2 * PATH_MAX];
    if (realpath(path, to) != NULL)
        return true;
    if (strlen(path) >= PATH_MAX || !follow_links(path, real))
        return false;
    char *slash = strrchr(real, '/');
    const char *base = slash == NULL ? real : slash + 1;
    snprintf(joined, sizeof joined, "%.*s.", (int)(base - real), real);
    if (realpath(joined, dir) == NULL)
        return false;
    snprintf(joined, sizeof joined, "%s/%s", dir, base);
    if (strlen(joined) >= PATH_MAX)
        return false;
    memcpy(to, joined, strlen(joined) + 1);
    return true;
}

bool brz_is_descriptor(const char *path)
{
    return descriptor_of(path) >= 0;
}

char *brz_place_of(const char *path)
{
    char real[PATH_MAX], descriptor[32];
    int fd = descriptor_of(path);
    snprintf(descriptor, sizeof descriptor, "descriptor:%d", fd);
    const char *place = fd >= 0 ? descriptor : find_place(path, real) ? real : path;
    return brz_memdup(place, strlen(place));
}

bool brz_is_same_place(const char *path, const char *other)
{
    char *a = brz_place_of(path), *b = brz_place_of(other);
    bool is_same = strcmp(a, b) == 0;
    free(a);
    free(b);
    return is_same;
}

bool brz_place_stat(const char *path, struct stat *st)
{
    int descriptor = descriptor_of(path);
    return descriptor >= 0 ? fstat(descriptor, st) == 0 : stat(path, st) == 0;
}

bool brz_is_terminal(const char *path)
{
    struct stat st;
    int descriptor = descriptor_of(path);
    if (descriptor >= 0)
        return isatty(descriptor) != 0;
    if (stat(path, &st) != 0 || !S_ISCHR(st.st_mode))
        return false;
    int fd = open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    bool is_terminal = fd >= 0 && isatty(fd) != 0;
    if (fd >= 0)
        close(fd);
    return is_terminal;
}

/* Returns the width of a terminal, or 0 if the descriptor is not one. The environment variable
 * COLUMNS takes precedence. */
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

static brz_file_sink *create(const char *name, brz_console *console)
{
    brz_file_sink *f = brz_calloc(1, sizeof *f);
    f->base.struct_size = sizeof f->base;
    f->base.write = sink_write;
    f->console = console;
    f->name = brz_memdup(name, strlen(name));
    f->fd = -1;
    f->dir = AT_FDCWD;
    f->cap = FIRST_BUFFER;
    f->buffer = brz_malloc(f->cap);
    return f;
}

brz_file_sink *brz_file_sink_to(brz_write_fn *write, void *context, const char *name,
                                brz_console *console)
{
    brz_file_sink *f = create(name, console);
    f->write = write;
    f->context = context;
    return f;
}

brz_file_sink *brz_file_sink_open(const char *path, brz_console *console)
{
    bool is_stdout = path == NULL || strcmp(path, "-") == 0;
    brz_file_sink *f = create(is_stdout ? "stdout" : path, console);
    f->is_stdout = is_stdout;
    f->fd = is_stdout ? STDOUT_FILENO : -1;
    if (!is_stdout && !open_path(f, path)) {
        brz_file_sink_destroy(f);
        return NULL;
    }
    f->base.columns = terminal_columns(f->fd);
    return f;
}

brz_file_sink *brz_file_sink_open_inside(const brz_inside *inside, const char *name,
                                         brz_console *console)
{
    if (inside->folder == NULL)
        return brz_file_sink_open(name, console);
    brz_file_sink *f = create(name, console);
    if (open_inside(f, inside))
        return f;
    brz_file_sink_destroy(f);
    return NULL;
}

bool brz_file_sink_appears_whole(const brz_inside *inside, const char *name)
{
    struct stat st;
    if (inside->folder != NULL)
        return true;
    return name != NULL && strcmp(name, "-") != 0 && descriptor_of(name) < 0 &&
           (stat(name, &st) != 0 || S_ISREG(st.st_mode));
}

void brz_file_sink_pack(brz_file_sink *f, brz_packing packing)
{
    if (packing != BRZ_PACKED_NOT)
        f->packer = brz_packer_create(packing, write_packed, f);
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

/* Closes a file that is written directly. A temporary file stays open, and thereby locked, until it
 * is renamed; fsync() has reported the errors that close() could. */
static void close_file(brz_file_sink *f)
{
    if (f->fd >= 0 && !f->is_temporary && !f->is_stdout && close(f->fd) != 0)
        fail(f, "cannot be written");
    f->fd = -1;
}

bool brz_file_sink_complete(brz_file_sink *f)
{
    flush(f);
    if (f->packer != NULL && !f->failed)
        brz_packer_end(f->packer);
    if (f->is_temporary && !f->failed && fsync(f->fd) != 0)
        fail(f, "cannot be written");
    close_file(f);
    return !f->failed;
}

bool brz_file_sink_commit(brz_file_sink *f)
{
    if (f->is_temporary && !f->failed && !brz_temporary_commit(&f->temporary))
        fail(f, "cannot be renamed to its final name");
    return !f->failed;
}

void brz_file_sink_destroy(brz_file_sink *f)
{
    if (f == NULL)
        return;
    close_file(f);
    if (f->is_temporary)
        brz_temporary_finish(&f->temporary);
    if (f->dir != AT_FDCWD)
        close(f->dir);
    brz_packer_destroy(f->packer);
    free(f->name);
    free(f->buffer);
    free(f);
}
