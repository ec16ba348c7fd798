/* SPDX-License-Identifier: MIT */
/* Preloaded: writes a journal of what the program changes on the disk, from which disk.py makes
 * what may be there after a loss of power.
 *
 * FAULT_JOURNAL is the journal's path. FAULT_FOLDER is an absolute path without links: names
 * outside of this folder do not matter. An entry is a line "KIND INODE NUMBER SIZE" with SIZE bytes
 * after it:
 *
 *     file    a new inode, without a name
 *     write   the bytes at the offset NUMBER
 *     size    a new size, NUMBER
 *     sync    all that was written to the inode is on the disk; if it is a folder, its names are
 *     name    the inode has the name in the bytes, relative to the folder
 *     remove  nothing has the name in the bytes any more
 *     move    the inode has the second name in the bytes instead of the first one; '\n' divides
 * them
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int journal = -1;
static const char *top;

__attribute__((constructor)) static void start(void)
{
    const char *path = getenv("FAULT_JOURNAL");
    top = getenv("FAULT_FOLDER");
    if (path != NULL && top != NULL)
        journal = (int)syscall(SYS_openat, AT_FDCWD, path,
                               O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

/* Writes an entry in one piece, since other threads and processes write theirs. */
static void note(const char *kind, ino_t inode, long long number, const void *bytes, size_t size)
{
    char line[100];
    int error = errno;
    int n = snprintf(line, sizeof line, "%s %llu %lld %zu\n", kind, (unsigned long long)inode,
                     number, size);
    struct iovec pieces[] = {{line, (size_t)n}, {(void *)(uintptr_t)bytes, size}};
    if (journal >= 0 && syscall(SYS_writev, journal, pieces, 2) < 0)
        abort();
    errno = error;
}

/* Returns the inode of a descriptor's file or folder, or 0. */
static ino_t inode_of(int fd)
{
    struct stat st;
    bool is =
        journal >= 0 && fd != journal && syscall(SYS_newfstatat, fd, "", &st, AT_EMPTY_PATH) == 0;
    return is && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)) ? st.st_ino : 0;
}

/* Returns the inode with a name, or 0. */
static ino_t inode_at(int folder, const char *name)
{
    struct stat st;
    int error = errno;
    bool is = syscall(SYS_newfstatat, folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
    errno = error;
    return is ? st.st_ino : 0;
}

/* Writes the name relative to the folder. Returns false for names outside of it. */
static bool relative(int folder, const char *name, char to[PATH_MAX])
{
    char whole[2 * PATH_MAX], link[40], base[PATH_MAX] = "";
    if (name[0] != '/' && folder == AT_FDCWD && getcwd(base, sizeof base) == NULL)
        return false;
    if (name[0] != '/' && folder != AT_FDCWD) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
        long n = syscall(SYS_readlinkat, AT_FDCWD, link, base, sizeof base - 1);
        base[n < 0 ? 0 : n] = '\0';
    }
    while (strncmp(name, "./", 2) == 0)
        name += 2;
    snprintf(whole, sizeof whole, "%s%s%s", base, name[0] == '/' ? "" : "/", name);
    size_t len = top == NULL ? 0 : strlen(top);
    if (len == 0 || strncmp(whole, top, len) != 0 || whole[len] != '/')
        return false;
    snprintf(to, PATH_MAX, "%.*s", PATH_MAX - 1, whole + len + 1);
    return true;
}

static void note_name(const char *kind, int folder, const char *name)
{
    char path[PATH_MAX];
    if (relative(folder, name, path))
        note(kind, inode_at(folder, name), 0, path, strlen(path));
}

/* The C library's function of the name, of the type of a pointer to it. */
#define NEXT(call) ((__typeof__(&(call)))(uintptr_t)dlsym(RTLD_NEXT, #call))

/* ---- contents -------------------------------------------------------------------------------- */

ssize_t pwrite(int fd, const void *data, size_t n, off_t at)
{
    ssize_t done = syscall(SYS_pwrite64, fd, data, n, at);
    if (done > 0 && inode_of(fd) != 0)
        note("write", inode_of(fd), at, data, (size_t)done);
    return done;
}

ssize_t write(int fd, const void *data, size_t n)
{
    ssize_t done = syscall(SYS_write, fd, data, n);
    if (done > 0 && inode_of(fd) != 0)
        note("write", inode_of(fd), syscall(SYS_lseek, fd, 0L, SEEK_CUR) - done, data,
             (size_t)done);
    return done;
}

ssize_t writev(int fd, const struct iovec *pieces, int n)
{
    ssize_t done = 0;
    for (int i = 0; i < n; i++) {
        ssize_t some = write(fd, pieces[i].iov_base, pieces[i].iov_len);
        if (some < 0)
            return done > 0 ? done : -1;
        done += some;
        if ((size_t)some < pieces[i].iov_len)
            break;
    }
    return done;
}

int ftruncate(int fd, off_t size)
{
    int rc = (int)syscall(SYS_ftruncate, fd, size);
    if (rc == 0 && inode_of(fd) != 0)
        note("size", inode_of(fd), size, NULL, 0);
    return rc;
}

int fsync(int fd)
{
    if (inode_of(fd) != 0)
        note("sync", inode_of(fd), 0, NULL, 0);
    return 0;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Opens a file; `flags` say whether it is created, with a mode. */
static int open_in(int folder, const char *name, int flags, va_list more)
{
    bool is_unnamed = (flags & O_TMPFILE) == O_TMPFILE;
    mode_t mode = (flags & O_CREAT) || is_unnamed ? va_arg(more, mode_t) : 0;
    bool is_new = (flags & O_CREAT) && journal >= 0 && inode_at(folder, name) == 0;
    int fd = (int)syscall(SYS_openat, folder, name, flags, mode);
    if (fd < 0 || journal < 0)
        return fd;
    if (is_new || is_unnamed)
        note("file", inode_of(fd), 0, NULL, 0);
    else if (flags & O_TRUNC)
        note("size", inode_of(fd), 0, NULL, 0);
    if (is_new)
        note_name("name", folder, name);
    return fd;
}

int open(const char *name, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    int fd = open_in(AT_FDCWD, name, flags, more);
    va_end(more);
    return fd;
}

int openat(int folder, const char *name, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    int fd = open_in(folder, name, flags, more);
    va_end(more);
    return fd;
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags)
{
    int rc = NEXT(linkat)(from_folder, from, to_folder, to, flags);
    if (rc == 0)
        note_name("name", to_folder, to);
    return rc;
}

int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
    char names[2 * PATH_MAX + 1], path[PATH_MAX];
    int rc = NEXT(renameat)(from_folder, from, to_folder, to);
    if (rc != 0 || !relative(from_folder, from, names) || !relative(to_folder, to, path))
        return rc;
    size_t len = strlen(names);
    names[len] = '\n';
    memcpy(names + len + 1, path, strlen(path) + 1);
    note("move", inode_at(to_folder, to), 0, names, len + 1 + strlen(path));
    return rc;
}

int rename(const char *from, const char *to)
{
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int unlinkat(int folder, const char *name, int flags)
{
    int rc = NEXT(unlinkat)(folder, name, flags);
    if (rc == 0)
        note_name("remove", folder, name);
    return rc;
}

int unlink(const char *name)
{
    return unlinkat(AT_FDCWD, name, 0);
}

/* ---- names of libraries that are built for large files --------------------------------------- */

ssize_t pwrite64(int fd, const void *data, size_t n, off64_t at)
{
    return pwrite(fd, data, n, at);
}

int ftruncate64(int fd, off64_t size)
{
    return ftruncate(fd, size);
}

int fdatasync(int fd)
{
    return fsync(fd);
}

int open64(const char *name, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    int fd = open_in(AT_FDCWD, name, flags, more);
    va_end(more);
    return fd;
}
