/* Whether a file may be loaded as code. */
#include "trust.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The folder a path is in, "/" being its own. `dir` has PATH_MAX bytes. */
static void parent_of(const char *path, char *dir)
{
    const char *slash = strrchr(path, '/');
    size_t n = slash == NULL || slash == path ? 1 : (size_t)(slash - path);
    memcpy(dir, path, n);
    dir[n] = '\0';
}

static bool check_owner(const char *path, const struct stat *st, uid_t owner, brz_buf *error)
{
    if (st->st_uid == 0 || st->st_uid == owner)
        return true;
    brz_buf_printf(error, "%s belongs to user %u, who is neither root nor you; run: chown %u '%s'",
                   path, (unsigned)st->st_uid, (unsigned)owner, path);
    return false;
}

static bool check_mode(const char *path, const struct stat *st, bool above, brz_buf *error)
{
    bool shared_by_root = S_ISDIR(st->st_mode) && (st->st_mode & S_ISVTX) && st->st_uid == 0;
    if ((st->st_mode & (S_IWGRP | S_IWOTH)) == 0 || (above && shared_by_root))
        return true;
    brz_buf_printf(error, "%s can be written by others; run: chmod go-w '%s'", path, path);
    return false;
}

static bool check(const char *path, uid_t owner, bool above, brz_buf *error)
{
    struct stat st;
    if (lstat(path, &st) != 0) {
        brz_buf_printf(error, "%s: %s", path, strerror(errno));
        return false;
    }
    return check_owner(path, &st, owner, error) && check_mode(path, &st, above, error);
}

bool brz_trust_path(const char *path, brz_buf *error)
{
    char dir[PATH_MAX], up[PATH_MAX];
    if (strlen(path) >= sizeof dir || path[0] != '/') {
        brz_buf_printf(error, "%s is not an absolute path", path);
        return false;
    }
    if (!check(path, geteuid(), false, error))
        return false;
    parent_of(path, dir);
    for (bool above = false;; above = true) {
        if (!check(dir, geteuid(), above, error))
            return false;
        if (strcmp(dir, "/") == 0)
            return true;
        parent_of(dir, up);
        strcpy(dir, up);
    }
}

bool brz_trust_shipped(const char *path, const char *program, brz_buf *error)
{
    char dir[PATH_MAX];
    struct stat st;
    if (stat(program, &st) != 0) {
        brz_buf_printf(error, "%s: %s", program, strerror(errno));
        return false;
    }
    if (strlen(path) >= sizeof dir)
        return false;
    parent_of(path, dir);
    return check(path, st.st_uid, false, error) && check(dir, st.st_uid, true, error);
}
