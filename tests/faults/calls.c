/* SPDX-License-Identifier: MIT */
/* Preloaded: lets system calls go wrong.
 *
 * FAULT_CALL names the functions that counter.h counts, "write" or "write,fsync"; "*" is all of
 * those below. FAULT_HOW says what becomes of a call that is due: the name of a signal that is
 * raised before it ("KILL", "TERM"), or the number of the error that it returns instead.
 *
 * FAULT_SHORT lets reads and writes do less than they are asked to, FAULT_INTERRUPT lets two of
 * three fail with EINTR. Standard error is left alone, since it has the messages. FAULT_NAMED makes
 * all files need a name, as in file systems without O_TMPFILE.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "counter.h"

static const char *chosen, *how;
static bool is_short, is_interrupted, is_named;
static atomic_uint turn;

static void read_settings(const char *(*setting)(const char *name))
{
    chosen = setting("CALL");
    how = setting("HOW");
    is_short = setting("SHORT") != NULL;
    is_interrupted = setting("INTERRUPT") != NULL;
    is_named = setting("NAMED") != NULL;
}

static bool is_chosen(const char *call)
{
    if (chosen == NULL || strcmp(chosen, "*") == 0)
        return chosen != NULL;
    size_t len = strlen(call);
    for (const char *at = chosen; (at = strstr(at, call)) != NULL; at += len)
        if ((at == chosen || at[-1] == ',') && (at[len] == ',' || at[len] == '\0'))
            return true;
    return false;
}

/* True if the call returns an error, which is in errno then. */
static bool goes_wrong(const char *call)
{
    if (how == NULL || !is_chosen(call) || !is_due())
        return false;
    if (strcmp(how, "KILL") == 0 || strcmp(how, "TERM") == 0) {
        raise(strcmp(how, "KILL") == 0 ? SIGKILL : SIGTERM);
        return false;
    }
    errno = (int)strtol(how, NULL, 10);
    return true;
}

/* Numbers without a pattern that a loop of calls could fall in step with. */
static unsigned throw_dice(void)
{
    unsigned x = (atomic_fetch_add(&turn, 1) + 1) * 2654435761u;
    return (x ^ x >> 15) * 2246822519u >> 16;
}

static bool is_interrupted_now(void)
{
    if (!is_interrupted || throw_dice() % 3 == 0)
        return false;
    errno = EINTR;
    return true;
}

static size_t shorten(size_t n)
{
    size_t some = is_short ? 1 + throw_dice() % 1000 : n;
    return some < n ? some : n;
}

/* The C library's function of the name, of the type of a pointer to it. */
#define NEXT(call) ((__typeof__(&(call)))(uintptr_t)dlsym(RTLD_NEXT, #call))

ssize_t read(int fd, void *to, size_t n)
{
    if (goes_wrong("read") || is_interrupted_now())
        return -1;
    return syscall(SYS_read, fd, to, shorten(n));
}

ssize_t pread(int fd, void *to, size_t n, off_t at)
{
    if (goes_wrong("pread") || is_interrupted_now())
        return -1;
    return syscall(SYS_pread64, fd, to, shorten(n), at);
}

ssize_t write(int fd, const void *data, size_t n)
{
    if (fd == STDERR_FILENO)
        return syscall(SYS_write, fd, data, n);
    if (goes_wrong("write") || is_interrupted_now())
        return -1;
    return syscall(SYS_write, fd, data, shorten(n));
}

int fsync(int fd)
{
    (void)fd;
    return goes_wrong("fsync") ? -1 : 0; /* nobody pulls the plug here */
}

/* A close() that fails has closed the descriptor nonetheless. */
int close(int fd)
{
    bool wrong = goes_wrong("close");
    int error = errno;
    long result = syscall(SYS_close, fd);
    errno = wrong ? error : errno;
    return wrong ? -1 : (int)result;
}

/* Opens a file; `flags` say whether it is created, with a mode. */
static int open_in(int folder, const char *path, int flags, va_list more)
{
    bool is_unnamed = (flags & O_TMPFILE) == O_TMPFILE;
    mode_t mode = (flags & O_CREAT) || is_unnamed ? va_arg(more, mode_t) : 0;
    if (goes_wrong("open"))
        return -1;
    if (is_unnamed && is_named) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return (int)syscall(SYS_openat, folder, path, flags, mode);
}

int open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    int fd = open_in(AT_FDCWD, path, flags, more);
    va_end(more);
    return fd;
}

int openat(int folder, const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    int fd = open_in(folder, path, flags, more);
    va_end(more);
    return fd;
}

int mkstemp(char *path)
{
    return goes_wrong("mkstemp") ? -1 : NEXT(mkstemp)(path);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
    if (goes_wrong("rename"))
        return -1;
    return NEXT(renameat)(from_folder, from, to_folder, to);
}

int rename(const char *from, const char *to)
{
    return goes_wrong("rename") ? -1 : NEXT(rename)(from, to);
}

int flock(int fd, int operation)
{
    return goes_wrong("flock") ? -1 : NEXT(flock)(fd, operation);
}

int fstat(int fd, struct stat *st)
{
    return goes_wrong("stat") ? -1 : NEXT(fstat)(fd, st);
}

int stat(const char *path, struct stat *st)
{
    return goes_wrong("stat") ? -1 : NEXT(stat)(path, st);
}

int lstat(const char *path, struct stat *st)
{
    return goes_wrong("stat") ? -1 : NEXT(lstat)(path, st);
}

int fstatat(int folder, const char *path, struct stat *st, int flags)
{
    return goes_wrong("stat") ? -1 : NEXT(fstatat)(folder, path, st, flags);
}

int fchmod(int fd, mode_t mode)
{
    return goes_wrong("fchmod") ? -1 : NEXT(fchmod)(fd, mode);
}

off_t lseek(int fd, off_t at, int whence)
{
    return goes_wrong("lseek") ? -1 : syscall(SYS_lseek, fd, at, whence);
}

DIR *opendir(const char *path)
{
    return goes_wrong("opendir") ? NULL : NEXT(opendir)(path);
}

struct dirent *readdir(DIR *folder)
{
    return goes_wrong("readdir") ? NULL : NEXT(readdir)(folder);
}

int poll(struct pollfd *fds, nfds_t n, int timeout)
{
    if (goes_wrong("poll") || is_interrupted_now())
        return -1;
    return NEXT(poll)(fds, n, timeout);
}

pid_t waitpid(pid_t child, int *status, int options)
{
    return is_interrupted_now() ? -1 : NEXT(waitpid)(child, status, options);
}

int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
    return is_interrupted_now() ? -1 : NEXT(waitid)(type, id, info, options);
}

pid_t fork(void)
{
    return goes_wrong("fork") ? -1 : NEXT(fork)();
}

int pipe(int fds[2])
{
    return goes_wrong("pipe") ? -1 : NEXT(pipe)(fds);
}

int pipe2(int fds[2], int flags)
{
    return goes_wrong("pipe") ? -1 : NEXT(pipe2)(fds, flags);
}

int socketpair(int domain, int type, int protocol, int fds[2])
{
    return goes_wrong("pipe") ? -1 : NEXT(socketpair)(domain, type, protocol, fds);
}

int dup2(int old, int new)
{
    return goes_wrong("dup") ? -1 : NEXT(dup2)(old, new);
}

int fcntl(int fd, int command, ...)
{
    va_list more;
    va_start(more, command);
    long argument = va_arg(more, long);
    va_end(more);
    bool is_copy = command == F_DUPFD || command == F_DUPFD_CLOEXEC;
    return is_copy && goes_wrong("dup") ? -1 : NEXT(fcntl)(fd, command, argument);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *),
                   void *argument)
{
    if (goes_wrong("pthread_create"))
        return errno;
    return NEXT(pthread_create)(thread, attributes, work, argument);
}

/* ---- calls of recordings --------------------------------------------------------------------- */

/* perf_event_open() and other calls that the C library has no function for. This library makes its
 * own through here, too. */
long syscall(long number, ...)
{
    enum { ARGUMENTS = 6 };
    static _Atomic(__typeof__(&syscall)) next;
    long arguments[ARGUMENTS];
    va_list more;
    va_start(more, number);
    for (int i = 0; i < ARGUMENTS; i++)
        arguments[i] = va_arg(more, long);
    va_end(more);
    if (number == SYS_perf_event_open && goes_wrong("perf_event_open"))
        return -1;
    if (atomic_load(&next) == NULL)
        atomic_store(&next, NEXT(syscall));
    return atomic_load(&next)(number, arguments[0], arguments[1], arguments[2], arguments[3],
                              arguments[4], arguments[5]);
}

int ioctl(int fd, unsigned long code, ...)
{
    va_list more;
    va_start(more, code);
    void *argument = va_arg(more, void *);
    va_end(more);
    return goes_wrong("ioctl") ? -1 : NEXT(ioctl)(fd, code, argument);
}

/* Memory without a file is that of allocation.c. */
void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    if (fd >= 0 && goes_wrong("mmap"))
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, address, size, protection, flags, fd, offset);
}

int signalfd(int fd, const sigset_t *signals, int flags)
{
    return goes_wrong("signalfd") ? -1 : NEXT(signalfd)(fd, signals, flags);
}

int sigtimedwait(const sigset_t *signals, siginfo_t *info, const struct timespec *most)
{
    return is_interrupted_now() ? -1 : NEXT(sigtimedwait)(signals, info, most);
}

int execvp(const char *file, char *const words[])
{
    return goes_wrong("exec") ? -1 : NEXT(execvp)(file, words);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags)
{
    return goes_wrong("link") ? -1 : NEXT(linkat)(from_folder, from, to_folder, to, flags);
}

int ftruncate(int fd, off_t size)
{
    return goes_wrong("write") ? -1 : (int)syscall(SYS_ftruncate, fd, size);
}

ssize_t pwrite(int fd, const void *data, size_t n, off_t at)
{
    if (goes_wrong("write") || is_interrupted_now())
        return -1;
    return syscall(SYS_pwrite64, fd, data, shorten(n), at);
}

ssize_t writev(int fd, const struct iovec *pieces, int n)
{
    return goes_wrong("write") || is_interrupted_now() ? -1 : NEXT(writev)(fd, pieces, n);
}

/* ---- names of libraries that are built for large files --------------------------------------- */

ssize_t pread64(int fd, void *to, size_t n, off64_t at)
{
    return pread(fd, to, n, at);
}

ssize_t pwrite64(int fd, const void *data, size_t n, off64_t at)
{
    return pwrite(fd, data, n, at);
}

int ftruncate64(int fd, off64_t size)
{
    return ftruncate(fd, size);
}

void *mmap64(void *address, size_t size, int protection, int flags, int fd, off64_t offset)
{
    return mmap(address, size, protection, flags, fd, offset);
}

/* glibc 2.28 and later declare fcntl() under this name for large files. */
int fcntl64(int fd, int command, ...)
{
    va_list more;
    va_start(more, command);
    long argument = va_arg(more, long);
    va_end(more);
    return fcntl(fd, command, argument);
}

int fdatasync(int fd)
{
    return fsync(fd);
}

int open64(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    int fd = open_in(AT_FDCWD, path, flags, more);
    va_end(more);
    return fd;
}

int fstat64(int fd, struct stat64 *st)
{
    return goes_wrong("stat") ? -1 : NEXT(fstat64)(fd, st);
}

int stat64(const char *path, struct stat64 *st)
{
    return goes_wrong("stat") ? -1 : NEXT(stat64)(path, st);
}

int lstat64(const char *path, struct stat64 *st)
{
    return goes_wrong("stat") ? -1 : NEXT(lstat64)(path, st);
}

int unlink(const char *path)
{
    return goes_wrong("unlink") ? -1 : NEXT(unlink)(path);
}

int mkostemp(char *path, int flags)
{
    return goes_wrong("mkstemp") ? -1 : NEXT(mkostemp)(path, flags);
}
