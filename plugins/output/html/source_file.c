/* SPDX-License-Identifier: MIT */
/* Opens source files that a profile names, below one folder. */
#include "source_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define LARGEST_FILE (16 << 20) /* bytes */

#ifdef O_PATH
#define FOLDER (O_PATH | O_DIRECTORY | O_CLOEXEC)
#else
#define FOLDER (O_RDONLY | O_DIRECTORY | O_CLOEXEC)
#endif

/* ---- names --------------------------------------------------------------------------------- */

/* Returns the part of a resolved path that follows the folder's, or NULL if it lies elsewhere. */
static const char *inside(const char *folder, const char *path)
{
    size_t n = strlen(folder);
    if (strncmp(folder, path, n) != 0)
        return NULL;
    if (n > 0 && folder[n - 1] == '/')
        return path + n;
    return path[n] == '/' ? path + n + 1 : NULL;
}

/* Recognises ".git", and the short name that some file systems have for it. */
static bool is_git(const char *name, size_t len)
{
    return (len == 4 && strncasecmp(name, ".git", len) == 0) ||
           (len > 4 && strncasecmp(name, "git~", 4) == 0);
}

/* Returns whether a file is never shown as a source: passwords lie in hidden files, and addresses
 * with passwords in ".git". Hidden folders may hold sources, as ".venv" does. */
static bool is_private(const char *path)
{
    for (;;) {
        size_t n = strcspn(path, "/");
        if (is_git(path, n))
            return true;
        if (path[n] == '\0')
            return path[0] == '.';
        path += n + 1;
    }
}

/* ---- files --------------------------------------------------------------------------------- */

/* Opens a path without ".." from the folder, component by component, through no link: it has been
 * resolved, so a link in it was put there since. */
static int open_by_step(const source_folder *f, const char *path)
{
    char name[PATH_MAX];
    int dir = fcntl(f->fd, F_DUPFD_CLOEXEC, 0);
    while (dir >= 0) {
        size_t n = strcspn(path, "/");
        bool is_last = path[n] == '\0';
        memcpy(name, path, n);
        name[n] = '\0';
        int flags = is_last ? O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY : FOLDER;
        int next = openat(dir, name, flags | O_NOFOLLOW);
        close(dir);
        if (is_last)
            return next;
        dir = next;
        path += n + 1;
    }
    return -1;
}

static FILE *open_regular(int fd)
{
    struct stat s;
    if (fd < 0)
        return NULL;
    bool is_good = fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && s.st_size <= LARGEST_FILE;
    FILE *file = is_good ? fdopen(fd, "r") : NULL;
    if (file == NULL)
        close(fd);
    return file;
}

/* Opens the file of exactly that name. */
static FILE *open_named(const source_folder *f, brz_str name)
{
    char path[PATH_MAX], resolved[PATH_MAX];
    int n = snprintf(path, sizeof path, "%s/%.*s", f->path, (int)name.len, name.data);
    if (n < 0 || (size_t)n >= sizeof path || realpath(path, resolved) == NULL)
        return NULL;
    const char *below = inside(f->path, resolved);
    return below == NULL || is_private(below) ? NULL : open_regular(open_by_step(f, below));
}

FILE *source_folder_find(const source_folder *f, brz_str name)
{
    if (name.len >= PATH_MAX || memchr(name.data, '\0', name.len) != NULL)
        return NULL;
    for (;;) {
        FILE *file = open_named(f, name);
        const char *slash = memchr(name.data, '/', name.len);
        if (file != NULL || slash == NULL)
            return file;
        size_t taken = (size_t)(slash - name.data) + 1;
        name = brz_str_of(name.data + taken, name.len - taken);
    }
}

bool source_folder_open(source_folder *f, brz_str path)
{
    char text[PATH_MAX];
    if (path.len >= sizeof text)
        return false;
    memcpy(text, path.data, path.len);
    text[path.len] = '\0';
    if (realpath(text, f->path) == NULL)
        return false;
    f->fd = open(f->path, FOLDER | O_NOFOLLOW);
    return f->fd >= 0;
}

void source_folder_close(source_folder *f)
{
    close(f->fd);
}
