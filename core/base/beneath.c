/* SPDX-License-Identifier: MIT */
/* Opens files below a folder. */
#include "base/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#endif
#if defined SYS_openat2 && __has_include(<linux/openat2.h>)
#include <linux/openat2.h>
#define HAS_OPENAT2 1
#else
#define HAS_OPENAT2 0
#endif

#include "base/mem.h"

#ifdef O_PATH
#define FOLDER (O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#else
#define FOLDER (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#endif

#define EXECUTABLE (S_IXUSR | S_IXGRP | S_IXOTH | S_ISUID | S_ISGID)

/* ---- paths as text ------------------------------------------------------------------------- */

/* Returns the rest of an absolute path after the prefix `folder`, or NULL if it does not begin with
 * that. */
static const char *strip_folder(const char *path, const char *folder)
{
    size_t n = strlen(folder);
    while (n > 0 && folder[n - 1] == '/')
        n--;
    return strncmp(path, folder, n) == 0 && (path[n] == '/' || path[n] == '\0') ? path + n : NULL;
}

static bool has_prefix(const char *name, size_t len, const char *prefix)
{
    size_t n = strlen(prefix);
    return len >= n && strncasecmp(name, prefix, n) == 0;
}

/* Returns whether a name is hidden. Includes other names that file systems accept for ".git" and
 * the like: HFS+ ignores formatting characters (U+2000 to U+206F, U+FEFF), and NTFS and FAT have
 * short names. */
static bool is_hidden(const char *name, size_t len)
{
    static const char *const prefixes[] = {".", "\xe2\x80", "\xe2\x81", "\xef\xbb\xbf", "git~"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (has_prefix(name, len, prefixes[i]))
            return true;
    return false;
}

/* Returns whether a name has a control character of ASCII, or of UTF-8's C1 controls, with which it
 * could control a terminal that lists it. */
static bool has_control(const char *name, size_t len)
{
    const unsigned char *s = (const unsigned char *)name;
    for (size_t i = 0; i < len; i++)
        if (s[i] < ' ' || s[i] == 0x7f ||
            (s[i] == 0xc2 && i + 1 < len && s[i + 1] >= 0x80 && s[i + 1] < 0xa0))
            return true;
    return false;
}

static brz_refusal check_component(const char *name, size_t len)
{
    if (has_control(name, len))
        return BRZ_REFUSED_CONTROL;
    if (len == 2 && name[0] == '.' && name[1] == '.')
        return BRZ_REFUSED_PARENT;
    return len > 1 && is_hidden(name, len) ? BRZ_REFUSED_HIDDEN : BRZ_REFUSED_NOT;
}

/* Appends the components of `path` to `to`, whose length is *len. */
static brz_refusal add_components(const char *path, char to[PATH_MAX], size_t *len)
{
    for (const char *p = path; *p != '\0';) {
        size_t n = strcspn(p, "/");
        brz_refusal why = check_component(p, n);
        if (why != BRZ_REFUSED_NOT)
            return why;
        if (*len + n + 2 > PATH_MAX)
            return BRZ_REFUSED_LONG;
        if (n > 1 || (n == 1 && *p != '.')) {
            if (*len > 0)
                to[(*len)++] = '/';
            memcpy(to + *len, p, n);
            *len += n;
        }
        p += n;
        p += strspn(p, "/");
    }
    return BRZ_REFUSED_NOT;
}

brz_refusal brz_beneath_resolve(const brz_beneath *b, const char *from, const char *path,
                                char **inside)
{
    char to[PATH_MAX];
    size_t len = 0;
    const char *base = path[0] == '/' ? "" : strip_folder(from, b->path);
    const char *rest = path[0] == '/' ? strip_folder(path, b->path) : path;
    *inside = NULL;
    if (base == NULL || rest == NULL)
        return BRZ_REFUSED_OUTSIDE;
    brz_refusal why = add_components(base, to, &len);
    if (why == BRZ_REFUSED_NOT)
        why = add_components(rest, to, &len);
    if (why == BRZ_REFUSED_NOT)
        *inside = brz_memdup(to, len);
    return why;
}

/* ---- folders ------------------------------------------------------------------------------- */

/* Returns whether a name is a symbolic link. Systems report different errors for a link that they
 * do not follow. */
static bool is_link(int dir, const char *name)
{
    struct stat st;
    int error = errno;
    bool link = fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode);
    errno = error;
    return link;
}

/* Opens the folder named by the first `len` bytes of `path`, component by component. Closes
 * `dir`. */
static int walk(int dir, const char *path, size_t len)
{
    char name[PATH_MAX];
    while (len > 0 && dir >= 0) {
        size_t n = strcspn(path, "/");
        n = n < len ? n : len;
        memcpy(name, path, n);
        name[n] = '\0';
        int next = openat(dir, name, FOLDER);
        if (next < 0 && is_link(dir, name))
            errno = ELOOP;
        int error = errno;
        close(dir);
        errno = error;
        dir = next;
        size_t taken = n < len ? n + 1 : n;
        path += taken;
        len -= taken;
    }
    return dir;
}

/* Opens a folder with a single system call. Returns -1 with ENOSYS if the kernel cannot do that. */
static int open_whole(int dir, const char *path, size_t len)
{
#if HAS_OPENAT2
    char name[PATH_MAX];
    struct open_how how = {
        .flags = FOLDER & ~O_NOFOLLOW, /* with it, a link at the end causes ENOTDIR */
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};
    memcpy(name, path, len);
    name[len] = '\0';
    return (int)syscall(SYS_openat2, dir, name, &how, sizeof how);
#else
    (void)dir;
    (void)path;
    (void)len;
    errno = ENOSYS;
    return -1;
#endif
}

static bool cannot_be_whole(int error)
{
    return error == ENOSYS || error == EPERM || error == EINVAL || error == E2BIG ||
           error == EAGAIN;
}

static int open_folder(const brz_beneath *b, const char *path, size_t len)
{
    int dir = -1;
    errno = ENOSYS;
    if (!b->by_step && len > 0)
        dir = open_whole(b->fd, path, len);
    if (dir >= 0 || !cannot_be_whole(errno))
        return dir;
    return walk(fcntl(b->fd, F_DUPFD_CLOEXEC, 0), path, len);
}

bool brz_beneath_open(brz_beneath *b, const char *path)
{
    int fd = open(path, FOLDER);
    if (fd < 0)
        return false;
    *b = (brz_beneath){.path = brz_memdup(path, strlen(path)), .fd = fd};
    return true;
}

void brz_beneath_close(brz_beneath *b)
{
    close(b->fd);
    free(b->path);
    *b = (brz_beneath){.fd = -1};
}

void brz_beneath_make_parent(const brz_beneath *b, const char *inside)
{
    char name[PATH_MAX];
    int dir = fcntl(b->fd, F_DUPFD_CLOEXEC, 0);
    for (const char *slash; dir >= 0 && (slash = strchr(inside, '/')) != NULL; inside = slash + 1) {
        size_t n = (size_t)(slash - inside);
        memcpy(name, inside, n);
        name[n] = '\0';
        mkdirat(dir, name, 0777);
        dir = walk(dir, name, n);
    }
    if (dir >= 0)
        close(dir);
}

/* ---- files --------------------------------------------------------------------------------- */

static brz_refusal refusal_of(int error)
{
    return error == ELOOP || error == EMLINK || error == EXDEV ? BRZ_REFUSED_LINK
                                                               : BRZ_REFUSED_ABSENT;
}

int brz_beneath_open_parent(const brz_beneath *b, const char *inside, const char **name,
                            brz_refusal *why)
{
    const char *slash = strrchr(inside, '/');
    *name = slash == NULL ? inside : slash + 1;
    *why = BRZ_REFUSED_SPECIAL;
    if ((*name)[0] == '\0') /* the folder itself */
        return -1;
    int dir = open_folder(b, inside, slash == NULL ? 0 : (size_t)(slash - inside));
    *why = dir >= 0 ? BRZ_REFUSED_NOT : refusal_of(errno);
    return dir;
}

/* Returns whether `name` is a regular file, without following links. Stores its attributes. */
static brz_refusal check_regular(int dir, const char *name, struct stat *st)
{
    if (fstatat(dir, name, st, AT_SYMLINK_NOFOLLOW) != 0)
        return BRZ_REFUSED_ABSENT;
    return S_ISLNK(st->st_mode)   ? BRZ_REFUSED_LINK
           : S_ISREG(st->st_mode) ? BRZ_REFUSED_NOT
                                  : BRZ_REFUSED_SPECIAL;
}

/* Opens a regular file. Checks it again after opening, because another file may have the name by
 * then. */
static int open_regular(int dir, const char *name, brz_refusal *why)
{
    struct stat st;
    *why = check_regular(dir, name, &st);
    if (*why != BRZ_REFUSED_NOT)
        return -1;
    int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) {
        *why = is_link(dir, name) ? BRZ_REFUSED_LINK : refusal_of(errno);
        return -1;
    }
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
        return fd;
    close(fd);
    *why = BRZ_REFUSED_SPECIAL;
    return -1;
}

static void close_keeping_errno(int fd)
{
    int error = errno;
    close(fd);
    errno = error;
}

int brz_beneath_open_file(const brz_beneath *b, const char *inside, brz_refusal *why)
{
    const char *name;
    int dir = brz_beneath_open_parent(b, inside, &name, why);
    if (dir < 0)
        return -1;
    int fd = open_regular(dir, name, why);
    close_keeping_errno(dir);
    return fd;
}

/* Opens a file as if `root` were the root folder. Returns -1 with ENOSYS if the kernel cannot do
 * that. Opening a device may have effects, so its type is looked at before. */
static int open_in_root(int root, const char *path)
{
#if HAS_OPENAT2
    struct stat st;
    struct open_how how = {.flags = O_PATH | O_CLOEXEC,
                           .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS};
    int place = (int)syscall(SYS_openat2, root, path, &how, sizeof how);
    if (place < 0)
        return -1;
    bool is_special = fstat(place, &st) == 0 && !S_ISREG(st.st_mode);
    close(place);
    errno = EINVAL;
    how.flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    return is_special ? -1 : (int)syscall(SYS_openat2, root, path, &how, sizeof how);
#else
    (void)root;
    (void)path;
    errno = ENOSYS;
    return -1;
#endif
}

/* Does the same without following any link. */
static int open_in_root_by_step(const char *root, const char *path)
{
    brz_beneath b;
    brz_refusal why;
    char *real = realpath(root, NULL), *inside = NULL;
    int fd = -1, error = errno;
    if (real != NULL && brz_beneath_open(&b, real)) {
        why = brz_beneath_resolve(&b, real, path + strspn(path, "/"), &inside);
        errno = why == BRZ_REFUSED_NOT ? 0 : EACCES;
        fd = inside == NULL ? -1 : brz_beneath_open_file(&b, inside, &why);
        error = why == BRZ_REFUSED_LINK ? ELOOP : (why == BRZ_REFUSED_SPECIAL ? EINVAL : errno);
        brz_beneath_close(&b);
    }
    free(inside);
    free(real);
    errno = error;
    return fd;
}

int brz_beneath_open_in_root(const char *root, const char *path, bool by_step)
{
    int dir = open(root, FOLDER & ~O_NOFOLLOW);
    if (dir < 0)
        return -1;
    errno = ENOSYS;
    int fd = by_step ? -1 : open_in_root(dir, path);
    close_keeping_errno(dir);
    return fd >= 0 || !cannot_be_whole(errno) ? fd : open_in_root_by_step(root, path);
}

int brz_beneath_open_in_process(const char *root, const char *path)
{
    int dir = open(root, FOLDER & ~O_NOFOLLOW);
    if (dir < 0)
        return -1;
    int fd = open_in_root(dir, path);
    errno = fd < 0 && cannot_be_whole(errno) ? ENOSYS : errno;
    close_keeping_errno(dir);
    return fd;
}

brz_refusal brz_beneath_check(const brz_beneath *b, const char *inside)
{
    const char *name;
    struct stat st;
    brz_refusal why;
    if (inside[0] == '\0')
        return BRZ_REFUSED_NOT;
    int dir = brz_beneath_open_parent(b, inside, &name, &why);
    if (dir < 0)
        return why;
    why = check_regular(dir, name, &st);
    close_keeping_errno(dir);
    return why == BRZ_REFUSED_SPECIAL && S_ISDIR(st.st_mode) ? BRZ_REFUSED_NOT : why;
}

brz_refusal brz_beneath_check_target(int dir, const char *name, struct stat *st)
{
    brz_refusal why = check_regular(dir, name, st);
    return why == BRZ_REFUSED_NOT && (st->st_mode & EXECUTABLE) != 0 ? BRZ_REFUSED_PROGRAM : why;
}

/* ---- descriptions -------------------------------------------------------------------------- */

const char *brz_refusal_text(brz_refusal why)
{
    static const char *const texts[] = {
        [BRZ_REFUSED_OUTSIDE] = "lies outside of this file's folder",
        [BRZ_REFUSED_PARENT] = "has '..' in it",
        [BRZ_REFUSED_HIDDEN] = "is hidden, or in a hidden folder",
        [BRZ_REFUSED_CONTROL] = "has a control character in it",
        [BRZ_REFUSED_LONG] = "is too long",
        [BRZ_REFUSED_LINK] = "leads through a symbolic link",
        [BRZ_REFUSED_SPECIAL] = "is not a regular file",
        [BRZ_REFUSED_PROGRAM] = "is an executable file, which is not replaced",
    };
    return texts[why] != NULL ? texts[why] : strerror(errno);
}
