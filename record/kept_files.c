/* SPDX-License-Identifier: MIT */
/* Keeps programs and libraries of containers in perf's build-id cache. */
#include "record/kept_files.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/make_folders.h"
#include "base/string_table.h"
#include "base/temporary.h"
#include "base/write_all.h"
#include "record/build_id.h"
#include "record/others_read.h"

/* Bit of an MMAP2 record with a build id. */
#define MISC_BUILD_ID (1u << 14)

/* A record of perf whose payload follows it. */
#define RECORD_TRACING_DATA 66

/* Places in an MMAP2 record. */
#define MAP_ID_SIZE 40
#define MAP_ID      44
#define MAP_PROT    64
#define MAP_NAME    72

/* Longer paths are left out. */
#define PATH_LENGTH_MAX 1024

typedef struct keeping {
    const brz_namespaces *namespaces;
    const char *cache;
    brz_strings handled; /* digits of build ids */
    size_t n_tried;      /* files that were not in the cache */
    uint64_t bytes;      /* that were copied */
    brz_kept_files result;
} keeping;

/* A file to keep. */
typedef struct wanted {
    uint8_t id[BRZ_BUILD_ID_MAX];
    size_t id_size;
    const char *path; /* absolute, without ".." */
    uint32_t pid;
    int root; /* folder where its process sees the path; -1: it is not in a known container */
    char digits[2 * BRZ_BUILD_ID_MAX + 1];
} wanted;

/* ---- mappings -------------------------------------------------------------------------------- */

static bool is_good_path(const char *path)
{
    size_t n = strlen(path);
    return path[0] == '/' && path[1] != '\0' && path[1] != '/' && n < PATH_LENGTH_MAX &&
           strstr(path, "/../") == NULL && strcmp(path + n - (n < 3 ? n : 3), "/..") != 0;
}

/* Reads the mapping of a file with code. Returns false for other records. */
static bool read_mapping(const keeping *k, const uint8_t *record, size_t size, wanted *w)
{
    struct perf_event_header h;
    uint32_t prot;
    memcpy(&h, record, sizeof h);
    if (h.type != PERF_RECORD_MMAP2 || !(h.misc & MISC_BUILD_ID) || size <= MAP_NAME ||
        memchr(record + MAP_NAME, 0, size - MAP_NAME) == NULL)
        return false;
    memcpy(&w->pid, record + sizeof h, sizeof w->pid);
    memcpy(&prot, record + MAP_PROT, sizeof prot);
    w->id_size = record[MAP_ID_SIZE];
    w->path = (const char *)record + MAP_NAME;
    if (!(prot & PROT_EXEC) || w->id_size < 2 || w->id_size > BRZ_BUILD_ID_MAX ||
        !is_good_path(w->path))
        return false;
    memset(w->id, 0, sizeof w->id);
    memcpy(w->id, record + MAP_ID, w->id_size);
    w->root = brz_namespaces_root(k->namespaces, w->pid);
    for (size_t i = 0; i < w->id_size; i++)
        snprintf(w->digits + 2 * i, 3, "%02x", w->id[i]);
    return true;
}

/* Returns whether a file was not handled before, and notes its build id. */
static bool is_new(keeping *k, const wanted *w)
{
    size_t known = k->handled.n;
    return brz_strings_intern(&k->handled, brz_str_of_text(w->digits)) >= known;
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* Returns whether an open file is the one that was mapped. Reads no files without a size: a
 * container may name one like /proc/kmsg, of which reading takes something away. */
static bool is_same(const wanted *w, int fd)
{
    struct stat st;
    uint8_t id[BRZ_BUILD_ID_MAX] = {0};
    return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 &&
           brz_build_id_of_file(fd, id) == w->id_size && memcmp(id, w->id, w->id_size) == 0;
}

/* Opens the file of a container. Returns -1 if it is another one by now. */
static int open_wanted(const wanted *w, uint64_t *size)
{
    char root[32];
    struct stat st;
    snprintf(root, sizeof root, "/proc/self/fd/%d", w->root);
    int fd = brz_beneath_open_in_process(root, w->path);
    if (fd < 0)
        return -1;
    bool good = is_same(w, fd) && fstat(fd, &st) == 0;
    *size = good ? (uint64_t)st.st_size : 0;
    if (!good)
        close(fd);
    return good ? fd : -1;
}

/* Returns whether an error of copy_file_range() says that it does not copy between these files. */
static bool can_read_instead(int error)
{
    return error == EXDEV || error == EINVAL || error == ENOSYS || error == EOPNOTSUPP ||
           error == EPERM;
}

/* Reads `left` bytes and writes them. Returns false with the reason in errno. */
static bool read_and_write(int from, int to, uint64_t left)
{
    char piece[1 << 16];
    while (left > 0) {
        ssize_t n = read(from, piece, left < sizeof piece ? left : sizeof piece);
        if (n < 0 && errno == EINTR)
            continue;
        if (n == 0)
            errno = EIO;
        if (n <= 0 || !brz_write_all(to, piece, (size_t)n))
            return false;
        left -= (uint64_t)n;
    }
    return true;
}

/* Copies `left` bytes. Returns false with the reason in errno. */
static bool copy_bytes(int from, int to, uint64_t left)
{
    while (left > 0) {
        ssize_t n = copy_file_range(from, NULL, to, NULL, left < 1u << 30 ? left : 1u << 30, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && can_read_instead(errno))
            return read_and_write(from, to, left);
        if (n == 0)
            errno = EIO;
        if (n <= 0)
            return false;
        left -= (uint64_t)n;
    }
    return true;
}

/* Returns the attributes of a copy. Others may read it if all may read the file: the group of the
 * copy is not that of the file. */
static struct stat attributes_of_copy(const wanted *w, int from)
{
    struct stat st, like = {.st_mode = 0600, .st_uid = geteuid(), .st_gid = getegid()};
    if (brz_others_may_read(w->root, w->path, from) && fstat(from, &st) == 0)
        like.st_mode |= st.st_mode & 0044;
    return like;
}

/* Copies a file to the path of `to`. */
static bool copy_to(const wanted *w, int from, uint64_t size, brz_buf *to)
{
    brz_temporary t;
    const struct stat like = attributes_of_copy(w, from);
    bool good = brz_make_folders(brz_buf_text(to), 0755) &&
                brz_temporary_create_unnamed(&t, AT_FDCWD, brz_buf_text(to), &like);
    if (!good)
        return false;
    good = copy_bytes(from, t.fd, size) && fsync(t.fd) == 0 && brz_temporary_commit(&t);
    int error = errno;
    brz_temporary_finish(&t);
    errno = error;
    return good;
}

/* Makes a link. Replaces one that leads to no file: the cache would have the file otherwise. */
static bool make_link(const char *target, const char *link)
{
    if (symlink(target, link) == 0)
        return true;
    return errno == EEXIST && unlink(link) == 0 && symlink(target, link) == 0;
}

/* Makes the link by which the file is found. */
static bool link_to(const keeping *k, const wanted *w)
{
    brz_buf link = {0}, target = {0};
    brz_buf_printf(&link, "%s/.build-id/%.2s/%s", k->cache, w->digits, w->digits + 2);
    brz_buf_printf(&target, "../..%s/%s", w->path, w->digits);
    bool good = brz_make_folders(brz_buf_text(&link), 0755) &&
                make_link(brz_buf_text(&target), brz_buf_text(&link));
    brz_buf_finish(&link);
    brz_buf_finish(&target);
    return good;
}

static bool is_kept(const keeping *k, const wanted *w)
{
    brz_buf path = {0};
    brz_buf_printf(&path, "%s/.build-id/%.2s/%s/elf", k->cache, w->digits, w->digits + 2);
    bool is = access(brz_buf_text(&path), R_OK) == 0;
    brz_buf_finish(&path);
    return is;
}

/* Returns whether a file is also where this process sees its path, and so outlasts the container.
 */
static bool is_outside(const wanted *w, int fd)
{
    struct stat inside, outside;
    return fstat(fd, &inside) == 0 && stat(w->path, &outside) == 0 &&
           inside.st_dev == outside.st_dev && inside.st_ino == outside.st_ino;
}

/* Copies a file to the cache. */
static void keep(keeping *k, const wanted *w)
{
    uint64_t size = 0;
    brz_buf to = {0};
    int fd = open_wanted(w, &size);
    if (fd < 0) {
        k->result.n_absent++;
        return;
    }
    if (is_outside(w, fd)) {
        close(fd);
        return;
    }
    if (size > BRZ_KEPT_FILE_MAX || size > BRZ_KEPT_FILES_MAX - k->bytes) {
        k->result.n_over++;
        close(fd);
        return;
    }
    brz_buf_printf(&to, "%s%s/%s/elf", k->cache, w->path, w->digits);
    bool good = copy_to(w, fd, size, &to) && link_to(k, w);
    k->bytes += good ? size : 0;
    k->result.n += good;
    k->result.n_failed += !good;
    k->result.error = good ? k->result.error : errno;
    brz_buf_finish(&to);
    close(fd);
}

/* Keeps the file of a container. */
static void look(keeping *k, const uint8_t *record, size_t size)
{
    wanted w;
    if (!read_mapping(k, record, size, &w) || w.root < 0 || !is_new(k, &w))
        return;
    if (is_kept(k, &w))
        k->result.n++;
    else if (k->n_tried++ < BRZ_KEPT_MAX)
        keep(k, &w);
    else
        k->result.n_over++;
}

/* Returns whether the file at the path of a mapping, as this process sees it, is the one that was
 * mapped. Opens no devices, which a container may name. */
static bool is_there(const wanted *w)
{
    int fd = brz_beneath_open_in_root("/", w->path, false);
    bool is = fd >= 0 && is_same(w, fd);
    if (fd >= 0)
        close(fd);
    return is;
}

/* Counts a file that only a process had which nobody looked at. */
static void look_for_gone(keeping *k, const uint8_t *record, size_t size)
{
    wanted w;
    if (read_mapping(k, record, size, &w) && brz_namespaces_misses(k->namespaces, w.pid) &&
        is_new(k, &w))
        k->result.n_gone += !is_kept(k, &w) && !is_there(&w);
}

/* ---- recordings ------------------------------------------------------------------------------ */

/* Returns where the records begin: in the layout of a file, or of a pipe. */
static uint64_t beginning_of(const uint8_t *file)
{
    uint64_t size, data;
    memcpy(&size, file + 8, sizeof size);
    memcpy(&data, file + 40, sizeof data);
    return size == 16 ? size : data;
}

/* Returns the size of a record, with what follows it; 0 if it is cut off. */
static uint64_t size_of(const uint8_t *record, uint64_t left)
{
    struct perf_event_header h;
    uint32_t more = 0;
    memcpy(&h, record, sizeof h);
    if (h.size < sizeof h || h.size > left)
        return 0;
    if (h.type == RECORD_TRACING_DATA && h.size >= sizeof h + sizeof more)
        memcpy(&more, record + sizeof h, sizeof more);
    uint64_t size = h.size + ((uint64_t)more + 7) / 8 * 8;
    return size <= left ? size : 0;
}

/* A function that looks at a record. */
typedef void look_fn(keeping *k, const uint8_t *record, size_t size);

static void look_at_all(keeping *k, look_fn *take, const uint8_t *file, uint64_t len)
{
    uint64_t at = beginning_of(file), size;
    while (at < len && len - at >= sizeof(struct perf_event_header) &&
           (size = size_of(file + at, len - at)) > 0) {
        struct perf_event_header h;
        memcpy(&h, file + at, sizeof h);
        take(k, file + at, h.size);
        at += size;
    }
}

brz_kept_files brz_keep_files(int recording, const brz_namespaces *n, const char *cache)
{
    struct stat st;
    keeping k = {.namespaces = n, .cache = cache};
    if ((n->n == 0 && n->unseen == NULL) || fstat(recording, &st) != 0 || st.st_size < 104)
        return k.result;
    void *file = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, recording, 0);
    if (file == MAP_FAILED) {
        k.result.error = errno;
        return k.result;
    }
    look_at_all(&k, look, file, (uint64_t)st.st_size);
    look_at_all(&k, look_for_gone, file, (uint64_t)st.st_size);
    munmap(file, (size_t)st.st_size);
    brz_strings_finish(&k.handled);
    return k.result;
}
