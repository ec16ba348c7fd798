/* SPDX-License-Identifier: MIT */
/* Decides whether a file may be loaded as code. */
#include "plugin/trust.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WRITABLE (S_IWGRP | S_IWOTH)

/* Stores the parent folder of a path; that of "/" is "/". `dir` has PATH_MAX bytes. */
static void parent_of(const char *path, char *dir)
{
    const char *slash = strrchr(path, '/');
    size_t n = slash == NULL || slash == path ? 1 : (size_t)(slash - path);
    memmove(dir, path, n);
    dir[n] = '\0';
}

/* Appends a path as a word of a shell command. */
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

static bool read_attributes(const char *path, struct stat *st, brz_buf *error)
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

/* Returns whether this is a folder like /tmp, in which everybody can create files, but not replace
 * files of others. */
static bool is_shared_by_root(const struct stat *st)
{
    return S_ISDIR(st->st_mode) && (st->st_mode & S_ISVTX) && st->st_uid == 0;
}

/* Checks one file or folder. Appends its quoted name to `open` if others can write to it. */
static bool check_one(const char *path, bool above, brz_buf *open, brz_buf *error)
{
    struct stat st;
    if (!read_attributes(path, &st, error) || !check_owner(path, &st, geteuid(), error))
        return false;
    if ((st.st_mode & WRITABLE) == 0 || (above && is_shared_by_root(&st)))
        return true;
    if (is_shared_by_root(&st)) {
        brz_buf_printf(
            error, "%s is writable by everybody: move the plug-in to a folder of your own", path);
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

/* Returns whether everybody who may write the first file by its mode may write the second one,
 * too. */
static bool has_no_more_writers(const struct stat *st, const struct stat *than)
{
    mode_t open = st->st_mode & WRITABLE;
    if ((open & S_IWGRP) && st->st_gid != than->st_gid && !(than->st_mode & S_IWOTH))
        return false;
    return (open & ~than->st_mode) == 0;
}

static bool check_installed(const char *path, const struct stat *st, const brz_program *program,
                            brz_buf *error)
{
    if (!check_owner(path, st, program->file.st_uid, error))
        return false;
    if (has_no_more_writers(st, &program->file) ||
        (!(program->bin.st_mode & S_ISVTX) && has_no_more_writers(st, &program->bin)))
        return true;
    brz_buf_printf(error, "%s is writable by users who cannot write the program; run: chmod go-w ",
                   path);
    add_quoted(error, path);
    return false;
}

/* Reads the attributes of the program and its folder, unless they are known. */
static bool read_program(brz_program *program, brz_buf *error)
{
    char dir[PATH_MAX];
    if (!program->is_known) {
        parent_of(program->path, dir);
        program->is_known = read_attributes(program->path, &program->file, error) &&
                            read_attributes(dir, &program->bin, error);
    }
    return program->is_known;
}

/* Checks a folder of plug-ins, unless it is the last one that was good. */
static bool check_dir(const char *dir, brz_program *program, brz_buf *error)
{
    struct stat st;
    if (strcmp(dir, program->good_dir) == 0)
        return true;
    if (!read_attributes(dir, &st, error) || !check_installed(dir, &st, program, error))
        return false;
    memcpy(program->good_dir, dir, strlen(dir) + 1);
    return true;
}

bool brz_trust_shipped(const char *path, const struct stat *st, brz_program *program,
                       brz_buf *error)
{
    char dir[PATH_MAX];
    if (strlen(path) >= sizeof dir || strlen(program->path) >= sizeof dir) {
        brz_buf_add_text(error, "its path is too long");
        return false;
    }
    parent_of(path, dir);
    return read_program(program, error) && check_installed(path, st, program, error) &&
           check_dir(dir, program, error);
}

void brz_trust_forget_dir(brz_program *program)
{
    program->good_dir[0] = '\0';
}
