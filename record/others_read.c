/* SPDX-License-Identifier: MIT */
/* Decides whether other users may read a file of a container. */
#include "record/others_read.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Opens the folder that the first component of a path names. Returns -1 if there is none. */
static int open_folder(int dir, const char *path, size_t n)
{
    char name[NAME_MAX + 1];
    if (n > NAME_MAX)
        return -1;
    memcpy(name, path, n);
    name[n] = '\0';
    return openat(dir, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static bool is_searchable(int dir)
{
    struct stat st;
    return dir >= 0 && fstat(dir, &st) == 0 && (st.st_mode & S_IXOTH) != 0;
}

/* Returns whether a name in a folder is that of an open file which all may read. */
static bool is_readable(int dir, const char *name, int fd)
{
    struct stat named, file;
    return fstatat(dir, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && fstat(fd, &file) == 0 &&
           named.st_dev == file.st_dev && named.st_ino == file.st_ino &&
           (file.st_mode & S_IROTH) != 0;
}

bool brz_others_may_read(int root, const char *path, int fd)
{
    int dir = fcntl(root, F_DUPFD_CLOEXEC, 0);
    bool good = is_searchable(dir);
    const char *name = path + 1;
    for (const char *slash; good && (slash = strchr(name, '/')) != NULL; name = slash + 1) {
        int inner = open_folder(dir, name, (size_t)(slash - name));
        close(dir);
        dir = inner;
        good = is_searchable(dir);
    }
    good = good && is_readable(dir, name, fd);
    if (dir >= 0)
        close(dir);
    return good;
}
