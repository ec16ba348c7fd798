/* Whether a file may be loaded as code. */
#include "plugin/trust.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WRITABLE (S_IWGRP | S_IWOTH)

/* The folder a path is in, "/" being its own. `dir` has PATH_MAX bytes. */
static void parent_of(const char *path, char *dir)
{
    const char *slash = strrchr(path, '/');
    size_t n = slash == NULL || slash == path ? 1 : (size_t)(slash - path);
    memmove(dir, path, n);
    dir[n] = '\0';
}

/* As a word of a command to be copied into a shell. */
static void add_quoted(brz_buf *b, const char *path)
{
    brz_buf_add_char(b, '\'');
    for (; *path != '\0'; path++)
        if (*path == '\'')
            brz_buf_add_text(b, "'\\''");
        else
            brz_buf_add_char(b, *path);
    brz_buf_add_char(b, '\'');
}

static bool look_at(const char *path, struct stat *st, brz_buf *error)
{
    if (lstat(path, st) == 0)
        return true;
    brz_buf_printf(error, "%s: %s", path, strerror(errno));
    return false;
}

static bool check_owner(const char *path, const struct stat *st, uid_t owner, brz_buf *error)
{
    if (st->st_uid == 0 || st->st_uid == owner)
        return true;
    brz_buf_printf(error, "%s belongs to user %u, who is neither root nor user %u; run: chown %u ",
                   path, (unsigned)st->st_uid, (unsigned)owner, (unsigned)owner);
    add_quoted(error, path);
    return false;
}

/* ---- the user's files ---------------------------------------------------------------------- */

/* A folder like /tmp, in which everybody can put something and nobody replace another's. */
static bool is_shared_by_root(const struct stat *st)
{
    return S_ISDIR(st->st_mode) && (st->st_mode & S_ISVTX) && st->st_uid == 0;
}

/* Adds to `open`, quoted, what others can write. */
static bool check_one(const char *path, bool above, brz_buf *open, brz_buf *error)
{
    struct stat st;
    if (!look_at(path, &st, error) || !check_owner(path, &st, geteuid(), error))
        return false;
    if ((st.st_mode & WRITABLE) == 0 || (above && is_shared_by_root(&st)))
        return true;
    if (is_shared_by_root(&st)) {
        brz_buf_printf(error, "%s is everybody's: move the plug-in to a folder of your own", path);
        return false;
    }
    brz_buf_add_char(open, ' ');
    add_quoted(open, path);
    return true;
}

static bool check_all(const char *path, brz_buf *open, brz_buf *error)
{
    char dir[PATH_MAX];
    if (!check_one(path, false, open, error))
        return false;
    parent_of(path, dir);
    for (bool above = false;; above = true) {
        if (!check_one(dir, above, open, error))
            return false;
        if (strcmp(dir, "/") == 0)
            return true;
        parent_of(dir, dir);
    }
}

bool brz_trust_path(const char *path, brz_buf *error)
{
    brz_buf open = {0};
    if (strlen(path) >= PATH_MAX || path[0] != '/') {
        brz_buf_printf(error, "%s is not an absolute path", path);
        return false;
    }
    bool good = check_all(path, &open, error);
    if (good && open.len > 0) {
        brz_buf_printf(error, "others can write%s; run: chmod go-w%s", brz_buf_text(&open),
                       brz_buf_text(&open));
        good = false;
    }
    brz_buf_finish(&open);
    return good;
}

/* ---- installed files ----------------------------------------------------------------------- */

/* True if whoever can write the first by its mode can write the second. */
static bool is_no_more_open(const struct stat *st, const struct stat *than)
{
    mode_t open = st->st_mode & WRITABLE;
    if ((open & S_IWGRP) && st->st_gid != than->st_gid && !(than->st_mode & S_IWOTH))
        return false;
    return (open & ~than->st_mode) == 0;
}

static bool check_installed(const char *path, const struct stat *program, const struct stat *bin,
                            brz_buf *error)
{
    struct stat st;
    if (!look_at(path, &st, error) || !check_owner(path, &st, program->st_uid, error))
        return false;
    if (is_no_more_open(&st, program) || (!(bin->st_mode & S_ISVTX) && is_no_more_open(&st, bin)))
        return true;
    brz_buf_printf(error, "%s can be written by others than the program; run: chmod go-w ", path);
    add_quoted(error, path);
    return false;
}

bool brz_trust_shipped(const char *path, const char *program, brz_buf *error)
{
    char dir[PATH_MAX];
    struct stat file, bin;
    if (strlen(path) >= sizeof dir || strlen(program) >= sizeof dir) {
        brz_buf_add_text(error, "its path is too long");
        return false;
    }
    parent_of(program, dir);
    if (!look_at(program, &file, error) || !look_at(dir, &bin, error))
        return false;
    parent_of(path, dir);
    return check_installed(path, &file, &bin, error) && check_installed(dir, &file, &bin, error);
}
