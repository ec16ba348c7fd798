/* SPDX-License-Identifier: MIT */
/* Writes files under temporary names; removes those that killed processes left behind. */
#include "base/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/mem.h"

/* Maximum length of the target's name within the temporary name, which is limited to NAME_MAX. */
#define LONGEST_NAME 200

/* Size of the longest ending, ".brazier-" with six letters, and the terminator. */
#define ENDING_SIZE 16

/* Number of numbered endings. Processes that write the same target concurrently use different ones;
 * if there are more processes, endings are random, and files with those are not cleaned up. */
#define NUMBERS 16
#define TRIES   100 /* names to try, with random endings after the numbers */

/* ---- unfinished files ---------------------------------------------------------------------- */

/* A list per process, because it serves the end of the process. */
static brz_temporary *unfinished;
static pthread_mutex_t unfinished_lock = PTHREAD_MUTEX_INITIALIZER;

void brz_temporaries_discard(void)
{
    pid_t self = unfinished != NULL ? getpid() : 0;
    for (const brz_temporary *t = unfinished; t != NULL; t = t->next)
        if (t->creator == self && atomic_load(&t->exists))
            unlinkat(t->dir, t->name, 0);
}

static void add_unfinished(brz_temporary *t)
{
    pthread_mutex_lock(&unfinished_lock);
    t->next = unfinished;
    unfinished = t;
    pthread_mutex_unlock(&unfinished_lock);
}

static void remove_unfinished(const brz_temporary *t)
{
    pthread_mutex_lock(&unfinished_lock);
    brz_temporary **at = &unfinished;
    while (*at != NULL && *at != t)
        at = &(*at)->next;
    if (*at != NULL)
        *at = t->next;
    pthread_mutex_unlock(&unfinished_lock);
}

/* Blocks signals while a file's name and its record change: a handler that ends the process removes
 * the recorded files. */
static void block_signals(sigset_t *before)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, before);
}

static void restore_signals(const sigset_t *before)
{
    int error = errno;
    pthread_sigmask(SIG_SETMASK, before, NULL);
    errno = error;
}

/* ---- names --------------------------------------------------------------------------------- */

static int fail_as(int fd, int error)
{
    close(fd);
    errno = error;
    return -1;
}

/* Creates and locks a file. Returns -1 if that fails, with EEXIST if the name is in use. Between
 * the two steps, another process may take the file for an abandoned one; then it has removed the
 * file or is about to. A file system without locks leaves the file unlocked; nobody removes it
 * there. */
static int create(brz_temporary *t, mode_t mode)
{
    struct stat st;
    sigset_t before;
    block_signals(&before);
    int fd = openat(t->dir, t->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        fd = fail_as(fd, EEXIST);
    else if (fd >= 0 && fstat(fd, &st) == 0 && st.st_nlink == 0)
        fd = fail_as(fd, EEXIST);
    atomic_store(&t->exists, fd >= 0);
    restore_signals(&before);
    return fd;
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Removes a temporary file that no process has locked. While this process holds the lock, nobody
 * else can reuse the name, so a second check of the name is enough. */
static void remove_abandoned(int dir, const char *name)
{
    struct stat opened, named;
    int fd = openat(dir, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return;
    if (fstat(fd, &opened) == 0 && S_ISREG(opened.st_mode) && opened.st_uid == geteuid() &&
        flock(fd, LOCK_EX | LOCK_NB) == 0 && fstatat(dir, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
        is_same_file(&opened, &named))
        unlinkat(dir, name, 0);
    close(fd);
}

static void add_random_letters(char *to)
{
    enum { LETTERS = 6 };
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";
    uint64_t dice;
    if (getentropy(&dice, sizeof dice) != 0)
        dice = (uint64_t)getpid() << 20; /* names in use are skipped */
    for (int i = 0; i < LETTERS; i++, dice >>= 5)
        to[i] = letters[dice % 32];
    to[LETTERS] = '\0';
}

/* Sets the i-th name to try, counted from 1: the numbered ones come before random ones. */
static void set_name(brz_temporary *t, unsigned i)
{
    char *ending = t->name + t->stem;
    if (i <= NUMBERS)
        snprintf(ending, ENDING_SIZE, ".brazier-%u", i);
    else
        add_random_letters(strrchr(ending, '-') + 1);
}

/* Creates a file with an unused name. */
static int create_unique(brz_temporary *t, mode_t mode)
{
    int fd = -1;
    for (unsigned i = 1; i <= NUMBERS; i++) {
        set_name(t, i);
        remove_abandoned(t->dir, t->name);
    }
    errno = EEXIST;
    for (unsigned i = 1; i <= TRIES && fd < 0 && errno == EEXIST; i++) {
        set_name(t, i);
        fd = create(t, mode);
    }
    return fd;
}

/* Creates a file without a name in the target's folder. Returns -1 if that is not possible, or if
 * it could not get one, which needs /proc. */
static int create_unnamed(const brz_temporary *t, mode_t mode)
{
#ifdef O_TMPFILE
    if (access("/proc/self/fd", X_OK) != 0)
        return -1;
    const char *slash = strrchr(t->target, '/');
    char *folder =
        slash == NULL ? brz_memdup(".", 1) : brz_memdup(t->target, (size_t)(slash - t->target) + 1);
    int fd = openat(t->dir, folder, O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
    free(folder);
    return fd;
#else
    (void)t;
    (void)mode;
    return -1;
#endif
}

/* Locks a file without a name, and gives it its temporary one. Signals are blocked. */
static bool give_name(brz_temporary *t)
{
    char own[32];
    bool good = false;
    snprintf(own, sizeof own, "/proc/self/fd/%d", t->fd);
    flock(t->fd, LOCK_EX | LOCK_NB);
    errno = EEXIST;
    for (unsigned i = 1; i <= TRIES && !good && errno == EEXIST; i++) {
        set_name(t, i);
        if (i <= NUMBERS)
            remove_abandoned(t->dir, t->name);
        good = linkat(AT_FDCWD, own, t->dir, t->name, AT_SYMLINK_FOLLOW) == 0;
    }
    atomic_store(&t->exists, good);
    return good;
}

/* ---- life cycle ----------------------------------------------------------------------------- */

/* Copies owner, group and mode to a file, as described at brz_temporary_create(). */
static bool copy_attributes(int fd, const struct stat *like)
{
    struct stat own;
    mode_t mode = like->st_mode & 0777;
    if (fstat(fd, &own) != 0)
        return false;
    if (own.st_uid != like->st_uid && fchown(fd, like->st_uid, (gid_t)-1) == 0)
        own.st_uid = like->st_uid;
    if (own.st_gid != like->st_gid && fchown(fd, (uid_t)-1, like->st_gid) != 0)
        mode &= ~(mode_t)070 | (mode & 07) << 3;
    return fchmod(fd, mode) == 0;
}

/* Chooses the names, whose endings are open. */
static void prepare(brz_temporary *t, int dir, const char *target)
{
    const char *slash = strrchr(target, '/');
    int folder = slash == NULL ? 0 : (int)(slash - target) + 1;
    size_t size = strlen(target) + 1 + ENDING_SIZE + 1;
    *t = (brz_temporary){.dir = dir, .fd = -1, .creator = getpid()};
    t->target = brz_memdup(target, strlen(target));
    t->name = brz_malloc(size);
    t->stem =
        (size_t)snprintf(t->name, size, "%.*s.%.*s", folder, target, LONGEST_NAME, target + folder);
    add_unfinished(t);
}

bool brz_temporary_create(brz_temporary *t, int dir, const char *target, const struct stat *like)
{
    prepare(t, dir, target);
    t->fd = create_unique(t, like == NULL ? 0666 : 0600);
    return t->fd >= 0 && (like == NULL || copy_attributes(t->fd, like));
}

bool brz_temporary_create_unnamed(brz_temporary *t, int dir, const char *target,
                                  const struct stat *like)
{
    mode_t mode = like == NULL ? 0666 : 0600;
    prepare(t, dir, target);
    t->fd = create_unnamed(t, mode);
    if (t->fd < 0)
        t->fd = create_unique(t, mode);
    return t->fd >= 0 && (like == NULL || copy_attributes(t->fd, like));
}

/* Returns true if the temporary name is that of another file. On a file system whose locks other
 * machines do not see, such as NFS, a process there may have removed the file as an abandoned one
 * and created its own. */
static bool is_replaced(const brz_temporary *t)
{
    struct stat written, named;
    return fstat(t->fd, &written) == 0 &&
           fstatat(t->dir, t->name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           !is_same_file(&written, &named);
}

bool brz_temporary_commit(brz_temporary *t)
{
    sigset_t before;
    block_signals(&before);
    bool named = atomic_load(&t->exists) || give_name(t);
    bool replaced = named && is_replaced(t);
    bool good = named && !replaced && renameat(t->dir, t->name, t->dir, t->target) == 0;
    if (replaced)
        errno = ESTALE;
    atomic_store(&t->exists, named && !good && !replaced);
    restore_signals(&before);
    return good;
}

void brz_temporary_finish(brz_temporary *t)
{
    sigset_t before;
    block_signals(&before);
    if (atomic_exchange(&t->exists, false) && !is_replaced(t))
        unlinkat(t->dir, t->name, 0);
    restore_signals(&before);
    if (t->fd >= 0)
        close(t->fd);
    remove_unfinished(t);
    free(t->name);
    free(t->target);
    *t = (brz_temporary){.fd = -1};
}
