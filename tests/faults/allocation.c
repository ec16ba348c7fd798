/* SPDX-License-Identifier: MIT */
/* Preloaded: lets allocations and mappings fail that counter.h says are due. */
#include <errno.h>
#include <stddef.h>

#include "counter.h"

/* The C library's own names for its functions, for those who replace them. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

static void read_settings(const char *(*setting)(const char *name))
{
    (void)setting;
}

static bool fails(void)
{
    bool due = is_due();
    if (due)
        errno = ENOMEM;
    return due;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return fails() ? NULL : __libc_realloc(old, size);
}

void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    if (fails())
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, address, size, protection, flags, fd, offset);
}
