/* SPDX-License-Identifier: MIT */
/* Reads and limits the memory of this process. */
#include "base/memory_use.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/sanitized.h"

static _Atomic uint64_t named_limit;

void brz_memory_set_limit(uint64_t bytes)
{
    atomic_store(&named_limit, bytes);
}

uint64_t brz_memory_limit(void)
{
    return atomic_load(&named_limit);
}

enum { ALL, RESIDENT, SHARED, CODE, LIBRARIES, DATA, N_NUMBERS };

/* Parses a line with numbers of pages: see the enumeration. */
static bool parse(const char *line, brz_memory_use *use)
{
    uint64_t numbers[N_NUMBERS];
    long page = sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < N_NUMBERS; i++) {
        char *end;
        numbers[i] = strtoull(line, &end, 10);
        if (end == line)
            return false;
        line = end;
    }
    if (page <= 0 || numbers[RESIDENT] < numbers[SHARED])
        return false;
    *use = (brz_memory_use){.resident = (numbers[RESIDENT] - numbers[SHARED]) * (uint64_t)page,
                            .files = numbers[SHARED] * (uint64_t)page,
                            .data = numbers[DATA] * (uint64_t)page,
                            .mapped = numbers[ALL] * (uint64_t)page};
    return true;
}

bool brz_memory_use_read(brz_memory_use *use)
{
    char line[256];
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n = read(fd, line, sizeof line - 1);
    close(fd);
    if (n <= 0)
        return false;
    line[n] = '\0';
    return parse(line, use);
}

/* The stack of a thread where the user sets no limit of stacks. */
#define STACK_SIZE ((uint64_t)8 << 20)

uint64_t brz_memory_of_stacks(unsigned threads)
{
    struct rlimit stack;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t size = STACK_SIZE;
    if (getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur != RLIM_INFINITY)
        size = stack.rlim_cur;
    if (threads == 0)
        threads = processors > 0 ? (unsigned)processors : 1;
    return size < UINT64_MAX / 4096 ? size * (threads + 3u)
                                    : 0; /* two that unpack, one that watches */
}

#if defined(RLIMIT_DATA)

static uint64_t change_limit(uint64_t most)
{
    struct rlimit now;
    if (getrlimit(RLIMIT_DATA, &now) != 0)
        return 0;
    uint64_t before = now.rlim_cur;
    now.rlim_cur = most < now.rlim_max ? most : now.rlim_max;
    return setrlimit(RLIMIT_DATA, &now) == 0 ? before : 0;
}

uint64_t brz_memory_confine(uint64_t more)
{
    brz_memory_use use;
    /* A sanitizer maps more memory than any machine has. */
    return !BRZ_SANITIZED && brz_memory_use_read(&use) ? change_limit(use.data + more) : 0;
}

void brz_memory_release(uint64_t before)
{
    if (before > 0)
        change_limit(before);
}

#else

uint64_t brz_memory_confine(uint64_t more)
{
    (void)more;
    return 0;
}

void brz_memory_release(uint64_t before)
{
    (void)before;
}

#endif
