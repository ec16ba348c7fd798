/* SPDX-License-Identifier: MIT */
/* Finds the project's configuration. */
#include "config/project_file.h"

#include <brazier/symbol.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <brazier/plugin.h>

static const char *const names[] = {".brazier.yaml", "brazier.yaml"};

#define N_NAMES BRZ_COUNT_OF(names)

bool brz_project_file_is_named(const char *path)
{
    return BRZ_IS_AMONG(brz_str_of_text(basename(path)), names);
}

static bool is_link(const brz_project_file *f, const char *name)
{
    struct stat st;
    return fstatat(f->folder.fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode);
}

/* Returns whether only the user or root could have written the file. */
static bool belongs_to_user(brz_console *console, const char *path, const struct stat *st)
{
    if (st->st_uid != geteuid() && st->st_uid != 0) {
        brz_say(console, BRZ_WARNING,
                "%s belongs to user %u: ignored (--trust-config or --config uses it)", path,
                (unsigned)st->st_uid);
        return false;
    }
    if ((st->st_mode & S_IWOTH) == 0)
        return true;
    brz_say(console, BRZ_WARNING,
            "%s can be written by everybody: ignored (run: chmod o-w FILE; --trust-config or "
            "--config uses it as it is)",
            path);
    return false;
}

/* Decides whether to use a file, which is open if f->fd is a descriptor. Returns false, with a
 * warning, if it is ignored. Links are: they could lead to a private file, whose lines would appear
 * in messages. */
static bool is_usable(brz_console *console, bool trust, const char *name, const brz_project_file *f)
{
    struct stat st;
    if (!trust && is_link(f, name)) {
        brz_say(console, BRZ_WARNING,
                "%s is a symbolic link: ignored (--trust-config or --config uses it)", f->path);
        return false;
    }
    if ((f->fd >= 0 ? fstat(f->fd, &st) : fstatat(f->folder.fd, name, &st, 0)) != 0)
        return false;
    if (!S_ISREG(st.st_mode)) {
        brz_say(console, BRZ_WARNING, "%s is not a regular file: ignored", f->path);
        return false;
    }
    return trust || belongs_to_user(console, f->path, &st);
}

static brz_project_file_end open_file(brz_console *console, bool trust, const char *name,
                                      brz_project_file *f)
{
    f->fd = openat(f->folder.fd, name,
                   O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (trust ? 0 : O_NOFOLLOW));
    int error = errno;
    if (!is_usable(console, trust, name, f))
        return BRZ_PROJECT_FILE_NONE;
    if (f->fd >= 0)
        return BRZ_PROJECT_FILE_OPEN;
    brz_say(console, BRZ_FATAL, "cannot open '%s': %s", f->path, strerror(error));
    return BRZ_PROJECT_FILE_FAILED;
}

/* Opens the file at f->path, which is in the folder `dir`. */
static brz_project_file_end open_in(brz_console *console, bool trust, const char *dir,
                                    const char *name, brz_project_file *f)
{
    if (!brz_beneath_open(&f->folder, dir))
        return BRZ_PROJECT_FILE_NONE;
    brz_project_file_end end = open_file(console, trust, name, f);
    if (end == BRZ_PROJECT_FILE_OPEN)
        return end;
    if (f->fd >= 0)
        close(f->fd);
    brz_beneath_close(&f->folder);
    return end;
}

/* Stores the folder of a path's last component, without links. */
static bool find_folder(const char *path, char dir[PATH_MAX])
{
    char text[PATH_MAX];
    const char *slash = strrchr(path, '/');
    int n = snprintf(text, sizeof text, "%.*s.", slash == NULL ? 0 : (int)(slash + 1 - path), path);
    if (n > 0 && n < PATH_MAX && strlen(path) < PATH_MAX)
        return realpath(text, dir) != NULL;
    errno = ENAMETOOLONG;
    return false;
}

/* Opens a regular file without following a link. Returns -1, with errno set, if it is something
 * else: nobody may ever write to a pipe. */
static int open_regular(int dir, const char *name)
{
    struct stat st;
    int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 || (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)))
        return fd;
    bool is_folder = S_ISDIR(st.st_mode);
    close(fd);
    errno = is_folder ? EISDIR : EINVAL;
    return -1;
}

bool brz_project_file_open(brz_console *console, const char *path, brz_project_file *f)
{
    char dir[PATH_MAX];
    if (find_folder(path, dir) && brz_beneath_open(&f->folder, dir)) {
        const char *slash = strrchr(path, '/');
        snprintf(f->path, sizeof f->path, "%s", path);
        f->fd = open_regular(f->folder.fd, slash == NULL ? path : slash + 1);
        if (f->fd >= 0)
            return true;
        int error = errno;
        brz_beneath_close(&f->folder);
        errno = error;
    }
    brz_say(console, BRZ_FATAL, "cannot open '%s': %s", path, strerror(errno));
    return false;
}

brz_project_file_end brz_project_file_find(brz_console *console, bool trust, brz_project_file *f)
{
    char dir[PATH_MAX];
    if (getcwd(dir, sizeof dir) == NULL)
        return BRZ_PROJECT_FILE_NONE;
    for (;;) {
        for (size_t i = 0; i < N_NAMES; i++) {
            const char *sep = strcmp(dir, "/") == 0 ? "" : "/";
            int n = snprintf(f->path, PATH_MAX, "%s%s%s", dir, sep, names[i]);
            if (n > 0 && n < PATH_MAX && access(f->path, F_OK) == 0)
                return open_in(console, trust, dir, names[i], f);
        }
        char *slash = strrchr(dir, '/');
        if (slash == NULL || strcmp(dir, "/") == 0)
            return BRZ_PROJECT_FILE_NONE;
        slash[slash == dir] = '\0';
    }
}

/* ---- extended files -------------------------------------------------------------------------- */

/* Returns whether the folder `dir` contains `path`, and is not the same. */
static bool is_above(const char *dir, const char *path)
{
    size_t n = strcmp(dir, "/") == 0 ? 0 : strlen(dir);
    return strncmp(dir, path, n) == 0 && path[n] == '/' && path[n + 1] != '\0';
}

/* Returns whether a folder has an entry .git: a checkout begins there. */
static bool begins_checkout(const char *dir)
{
    struct stat st;
    brz_buf git = {0};
    brz_buf_printf(&git, "%s/.git", dir);
    bool begins = lstat(brz_buf_text(&git), &st) == 0;
    brz_buf_finish(&git);
    return begins;
}

/* Returns whether a checkout begins in the folder `from`, or in one between it and `dir`. */
static bool leaves_checkout(const char *dir, const char *from)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s", from);
    while (is_above(dir, path)) {
        if (begins_checkout(path))
            return true;
        char *slash = strrchr(path, '/');
        slash[slash == path] = '\0';
    }
    return false;
}

/* Stores the folder of the file that a path from the folder `from` leads to. Returns the reason for
 * refusing it, or NULL. */
static const char *find_extended(const char *from, const char *path, char dir[PATH_MAX])
{
    brz_buf whole = {0};
    if (path[0] == '/')
        return "is an absolute path";
    if (!brz_project_file_is_named(path))
        return "is not named .brazier.yaml or brazier.yaml";
    brz_buf_printf(&whole, "%s/%s", from, path);
    bool found = find_folder(brz_buf_text(&whole), dir);
    brz_buf_finish(&whole);
    if (!found)
        return strerror(errno);
    return !is_above(dir, from)         ? "is not in a folder above"
           : leaves_checkout(dir, from) ? "is outside of the checkout"
                                        : NULL;
}

brz_project_file_end brz_project_file_extended(brz_console *console, const brz_beneath *from,
                                               const char *path, brz_project_file *f,
                                               const char **why)
{
    char dir[PATH_MAX];
    const char *name = basename(path);
    *why = find_extended(from->path, path, dir);
    if (*why != NULL)
        return BRZ_PROJECT_FILE_FAILED;
    int n =
        snprintf(f->path, sizeof f->path, "%s%s%s", dir, strcmp(dir, "/") == 0 ? "" : "/", name);
    bool fits = n > 0 && n < PATH_MAX;
    brz_project_file_end end = fits ? open_in(console, false, dir, name, f) : BRZ_PROJECT_FILE_NONE;
    if (end == BRZ_PROJECT_FILE_NONE)
        *why = !fits || access(f->path, F_OK) != 0 ? strerror(fits ? errno : ENAMETOOLONG)
                                                   : "is not used";
    return end;
}
