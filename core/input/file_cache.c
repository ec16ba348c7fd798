/* SPDX-License-Identifier: MIT */
/* Keeps what was computed from files.
 *
 *     entry  := header content
 *     header := "brazier cache 1\n" size:u64 identity key, and zeros up to HEADER bytes
 */
#include "input/file_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/temporary.h"
#include "base/write_all.h"

/* Size of a header: that of a page, so that contents are aligned. */
#define HEADER 4096

#define MAGIC "brazier cache 1\n"

#define KEY_MAX 100

/* Part of the names of entries that are being written: see temporary.h. */
#define UNFINISHED ".brazier-"

/* Seconds after which a use is noted again. */
#define NOTED 86400

/* A content is kept only if the disk has this many times its size left. */
#define SPARE 8

typedef struct header {
    char magic[16];
    uint64_t size; /* of the content */
    brz_file_identity of;
    char key[KEY_MAX + 4];
} header;

/* ---- names ---------------------------------------------------------------------------------- */

brz_file_identity brz_file_identity_of(int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return (brz_file_identity){0};
    brz_file_identity id = {
        .device = (uint64_t)st.st_dev, .inode = (uint64_t)st.st_ino, .size = (uint64_t)st.st_size};
#ifdef __APPLE__
    const struct timespec *modified = &st.st_mtimespec, *changed = &st.st_ctimespec;
#else
    const struct timespec *modified = &st.st_mtim, *changed = &st.st_ctim;
#endif
    id.modified[0] = (int64_t)modified->tv_sec;
    id.modified[1] = (int64_t)modified->tv_nsec;
    id.changed[0] = (int64_t)changed->tv_sec;
    id.changed[1] = (int64_t)changed->tv_nsec;
    return id;
}

static bool is_key(brz_str key)
{
    static const char allowed[] =
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-_";
    for (size_t i = 0; i < key.len; i++)
        if (key.data[i] == '\0' || strchr(allowed, key.data[i]) == NULL)
            return false;
    return key.len > 0 && key.len <= KEY_MAX && key.data[0] != '.';
}

/* Removes the last dash and the hexadecimal digits after it. Returns false if the name lacks them.
 */
static bool cut_number(brz_str *name)
{
    size_t n = name->len;
    while (n > 0 && memchr("0123456789abcdef", name->data[n - 1], 16) != NULL)
        n--;
    if (n == 0 || n == name->len || name->data[n - 1] != '-')
        return false;
    name->len = n - 1;
    return true;
}

/* Returns whether a file of the folder is an entry, perhaps an unfinished one: see add_name(). */
static bool is_entry(const char *file)
{
    const char *ending = file[0] == '.' ? strstr(file, UNFINISHED) : NULL;
    brz_str name = ending != NULL && ending > file
                       ? brz_str_of(file + 1, (size_t)(ending - file - 1))
                       : brz_str_of_text(file);
    for (int numbers = 0; numbers < 2; numbers++)
        if (!cut_number(&name))
            return false;
    return is_key(name);
}

/* Writes the name of an entry. The times and the size are not part of it, so that an entry replaces
 * that of an older file. */
static void add_name(brz_buf *b, const brz_file_identity *of, brz_str key)
{
    brz_buf_printf(b, "%.*s-%llx-%llx", (int)key.len, key.data, (unsigned long long)of->device,
                   (unsigned long long)of->inode);
}

static header make_header(const brz_file_identity *of, brz_str key, uint64_t size)
{
    header h;
    memset(&h, 0, sizeof h);
    memcpy(h.magic, MAGIC, sizeof h.magic);
    h.size = size;
    h.of = *of;
    memcpy(h.key, key.data, key.len);
    return h;
}

/* ---- the folder ----------------------------------------------------------------------------- */

/* Appends the path of the folder of all caches. Returns false if the environment names none. */
static bool add_caches(brz_buf *b)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    size_t n = cache == NULL ? 0 : strlen(cache);
    while (n > 1 && cache[n - 1] == '/')
        n--;
    if (n > 0 && cache[0] == '/')
        brz_buf_add(b, cache, n);
    else if (home != NULL && home[0] == '/')
        brz_buf_printf(b, "%s/.cache", home);
    return b->len > 0;
}

/* Creates a folder, if its parent belongs to the user or to root: in the home of a user, root would
 * create a folder that the user cannot use. */
static void make_folder(const char *path)
{
    struct stat st;
    brz_buf parent = {0};
    brz_buf_add(&parent, path, (size_t)(strrchr(path, '/') + 1 - path));
    if (stat(brz_buf_text(&parent), &st) == 0 && (st.st_uid == 0 || st.st_uid == geteuid()))
        mkdir(path, 0700);
    brz_buf_finish(&parent);
}

/* Returns whether only this user may write to a file or folder. */
static bool is_own(const struct stat *st)
{
    return st->st_uid == geteuid() && (st->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static int open_folder(const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || (fstat(fd, &st) == 0 && is_own(&st)))
        return fd;
    close(fd);
    return -1;
}

/* Opens the folder, which is created on demand. Returns its descriptor, or -1. */
static int open_cache(bool creates)
{
    brz_buf path = {0};
    int fd = -1;
    if (getuid() == geteuid() && add_caches(&path)) {
        if (creates)
            make_folder(brz_buf_text(&path));
        brz_buf_add_text(&path, "/brazier");
        if (creates)
            make_folder(brz_buf_text(&path));
        fd = open_folder(brz_buf_text(&path));
    }
    brz_buf_finish(&path);
    return fd;
}

/* ---- loading -------------------------------------------------------------------------------- */

/* Notes the use of an entry for the choice of those that are deleted. A time in the future is one
 * of a clock that has been set back. */
static void note_use(int fd, const struct stat *st)
{
    time_t age = time(NULL) - st->st_mtime;
    if (age > NOTED || age < -NOTED)
        futimens(fd, NULL);
}

/* Maps an entry. Returns false unless it belongs to the file and the key. */
static bool map_entry(int fd, const brz_file_identity *of, brz_str key, brz_mapping *m)
{
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || !is_own(&st) || st.st_size < HEADER ||
        !brz_mapping_init(m, fd, (uint64_t)st.st_size))
        return false;
    header expected = make_header(of, key, m->len - HEADER);
    if (memcmp(m->data, &expected, sizeof expected) == 0) {
        note_use(fd, &st);
        return true;
    }
    brz_mapping_finish(m);
    return false;
}

bool brz_file_cache_load(const brz_file_identity *of, brz_str key, brz_mapping *m, brz_str *content)
{
    brz_buf name = {0};
    int folder = of->inode != 0 && is_key(key) ? open_cache(false) : -1, fd = -1;
    if (folder < 0)
        return false;
    add_name(&name, of, key);
    fd = openat(folder, brz_buf_text(&name),
                O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    bool good = fd >= 0 && map_entry(fd, of, key, m);
    if (good)
        *content = brz_str_of((const char *)m->data + HEADER, m->len - HEADER);
    if (fd >= 0)
        close(fd);
    close(folder);
    brz_buf_finish(&name);
    return good;
}

/* ---- making room ---------------------------------------------------------------------------- */

typedef struct entry {
    char *name;
    uint64_t size;
    time_t used;
} entry;

typedef struct entries {
    entry *items;
    size_t n, cap;
    uint64_t size; /* of all */
} entries;

/* Adds an entry of the folder to the list. Other files are not those of the cache. */
static void take_entry(entries *all, int folder, const char *name)
{
    struct stat st;
    if (!is_entry(name) || fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(st.st_mode))
        return;
    time_t used = st.st_mtime > time(NULL) + NOTED ? 0 : st.st_mtime;
    all->items = brz_grow(all->items, all->n, &all->cap, sizeof *all->items);
    all->items[all->n++] = (entry){brz_memdup(name, strlen(name)), (uint64_t)st.st_size, used};
    all->size += (uint64_t)st.st_size;
}

static entries list_entries(int folder)
{
    entries all = {0};
    int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = copy < 0 ? NULL : fdopendir(copy);
    for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;)
        take_entry(&all, folder, e->d_name);
    if (d != NULL)
        closedir(d);
    else if (copy >= 0)
        close(copy);
    return all;
}

static int by_use(const void *x, const void *y)
{
    const entry *a = x, *b = y;
    return a->used < b->used ? -1 : a->used > b->used;
}

/* Deletes the least recently used entries until there is room for a size. */
static void make_room(int folder, uint64_t size)
{
    entries all = list_entries(folder);
    if (all.n > 0)
        qsort(all.items, all.n, sizeof *all.items, by_use);
    for (size_t i = 0; i < all.n; i++) {
        if (all.size + size > BRZ_FILE_CACHE_MAX && unlinkat(folder, all.items[i].name, 0) == 0)
            all.size -= all.items[i].size;
        free(all.items[i].name);
    }
    free(all.items);
}

/* ---- saving --------------------------------------------------------------------------------- */

/* Returns whether there is space for a content, and files may be that long: a longer one ends a
 * program that does not ignore SIGXFSZ. */
static bool has_space(int folder, uint64_t size)
{
    struct statvfs fs;
    struct rlimit limit;
    return fstatvfs(folder, &fs) == 0 &&
           (uint64_t)fs.f_bavail * (uint64_t)fs.f_frsize / SPARE > size &&
           getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur >= size + HEADER;
}

static bool write_entry(int fd, const header *h, brz_str content)
{
    char page[HEADER] = {0};
    memcpy(page, h, sizeof *h);
    return brz_write_all(fd, page, sizeof page) && brz_write_all(fd, content.data, content.len) &&
           fsync(fd) == 0;
}

/* Writes an entry, which gets its name when it is complete. */
static void save_in(int folder, const char *name, const header *h, brz_str content)
{
    brz_temporary t;
    const struct stat own = {.st_mode = 0600, .st_uid = geteuid(), .st_gid = getegid()};
    if (brz_temporary_create_unnamed(&t, folder, name, &own) && write_entry(t.fd, h, content))
        brz_temporary_commit(&t);
    brz_temporary_finish(&t);
}

void brz_file_cache_save(const brz_file_identity *of, brz_str key, brz_str content)
{
    bool fits = content.len > 0 && content.len <= BRZ_FILE_CACHE_ENTRY_MAX;
    int folder = of->inode != 0 && is_key(key) && fits ? open_cache(true) : -1;
    if (folder < 0)
        return;
    if (has_space(folder, content.len)) {
        brz_buf name = {0};
        header h = make_header(of, key, content.len);
        add_name(&name, of, key);
        make_room(folder, content.len + HEADER);
        save_in(folder, brz_buf_text(&name), &h, content);
        brz_buf_finish(&name);
    }
    close(folder);
}
