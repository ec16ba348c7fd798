/* SPDX-License-Identifier: MIT */
/* Finds the packages that files belong to, in the database of dpkg: a list of files per package, in
 * var/lib/dpkg/info/PACKAGE[:ARCHITECTURE].list. */
#include "report/package.h"

#include <brazier/symbol.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Largest list that is read. */
#define LIST_MAX ((size_t)16 << 20)

/* Opens a list, which is a regular file and no link. */
static int open_list(int folder, const char *name)
{
    struct stat st;
    bool is_regular = fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode);
    return is_regular ? openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
}

/* Reads a list. Returns false if that is not possible, or it is too large. */
static bool read_list(int folder, const char *name, brz_buf *text)
{
    int fd = open_list(folder, name);
    brz_buf_clear(text);
    bool good = fd >= 0 && brz_buf_read(text, fd, LIST_MAX);
    if (fd >= 0)
        close(fd);
    return good && text->len < LIST_MAX;
}

/* Returns whether a list has a line. */
static bool has_line(brz_str list, brz_str line)
{
    for (size_t at = 0; (at = brz_str_find(list, line, at)) != SIZE_MAX; at += line.len) {
        size_t end = at + line.len;
        bool begins = at == 0 || list.data[at - 1] == '\n';
        if (begins && (end == list.len || list.data[end] == '\n'))
            return true;
    }
    return false;
}

/* Returns whether a list has a path, or its other name: /usr/lib and /lib are often the same. */
static bool has_path(brz_str list, brz_str path)
{
    static const char usr[] = "/usr";
    brz_buf other = {0};
    bool is_below = path.len > 4 && memcmp(path.data, usr, 4) == 0 && path.data[4] == '/';
    if (!is_below)
        brz_buf_add_text(&other, usr);
    brz_buf_add_str(&other, is_below ? brz_str_of(path.data + 4, path.len - 4) : path);
    bool has = has_line(list, path) || has_line(list, brz_buf_str(&other));
    brz_buf_finish(&other);
    return has;
}

/* Returns the package that the name of a list stands for; empty: it is no list. */
static brz_str package_of(const char *file)
{
    size_t n = strlen(file);
    if (n < 6 || strcmp(file + n - 5, ".list") != 0)
        return brz_str_of("", 0);
    const char *colon = strchr(file, ':');
    return brz_str_of(file, colon == NULL ? n - 5 : (size_t)(colon - file));
}

/* Looks for a path in all lists of a folder. Of several packages with it, the name that sorts first
 * counts: the order of a folder is arbitrary. */
static bool search(DIR *folder, brz_str path, brz_buf *name)
{
    brz_buf list = {0}, best = {0};
    const struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        brz_str package = package_of(entry->d_name);
        bool is_later = best.len > 0 && brz_str_compare(brz_buf_str(&best), package) <= 0;
        if (package.len == 0 || is_later || !read_list(dirfd(folder), entry->d_name, &list) ||
            !has_path(brz_buf_str(&list), path))
            continue;
        brz_buf_clear(&best);
        brz_buf_add_str(&best, package);
    }
    brz_buf_add_str(name, brz_buf_str(&best));
    bool found = best.len > 0;
    brz_buf_finish(&best);
    brz_buf_finish(&list);
    return found;
}

/* Opens the folder of lists below a root folder, or on this system if that is empty. Below a root
 * folder, links on the way are not followed: they may lead to places outside of it. Returns NULL if
 * there is no such folder. */
static DIR *open_lists(const char *root)
{
    static const char *const steps[] = {"var", "lib", "dpkg", "info"};
    int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    int at = open(root[0] != '\0' ? root : "/", flags);
    flags |= root[0] != '\0' ? O_NOFOLLOW : 0;
    for (size_t i = 0; i < BRZ_COUNT_OF(steps) && at >= 0; i++) {
        int next = openat(at, steps[i], flags);
        close(at);
        at = next;
    }
    DIR *folder = at >= 0 ? fdopendir(at) : NULL;
    if (folder == NULL && at >= 0)
        close(at);
    return folder;
}

bool brz_package_find(const char *root, brz_str path, brz_buf *name)
{
    DIR *folder = path.len > 0 && path.data[0] == '/' ? open_lists(root) : NULL;
    bool found = folder != NULL && search(folder, path, name);
    if (folder != NULL)
        closedir(folder);
    return found;
}

void brz_package_add_symbols(brz_buf *b, brz_str package)
{
    brz_buf_add_str(b, package);
    brz_buf_add_text(b, brz_str_is(package, "libc6") ? "-dbg" : "-dbgsym");
}
