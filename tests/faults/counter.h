/* Counts calls over all threads and forked processes, and says which of them are to go wrong.
 *
 * FAULT_AT is the number of the call, from 0. With FAULT_ONWARDS, all later calls go wrong as well.
 * FAULT_COUNT is a file that the number of calls is written to when the program returns from
 * main().
 */
#ifndef FAULTS_COUNTER_H
#define FAULTS_COUNTER_H

#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_long *counter; /* NULL before the start */
static long fault_at = -1;
static bool fault_onwards;

/* The counter is shared with forked processes. System calls are made directly: the functions may be
 * interposed in this very file. */
__attribute__((constructor(101))) static void counter_start(void)
{
    const char *at = getenv("FAULT_AT");
    fault_at = at == NULL ? -1 : atol(at);
    fault_onwards = getenv("FAULT_ONWARDS") != NULL;
    void *page = (void *)syscall(SYS_mmap, NULL, sizeof *counter, PROT_READ | PROT_WRITE,
                                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page != MAP_FAILED)
        counter = page;
}

/* Counts a call; true if it is to go wrong. */
static bool is_due(void)
{
    if (counter == NULL)
        return false;
    long n = atomic_fetch_add(counter, 1);
    return fault_at >= 0 && (n == fault_at || (fault_onwards && n > fault_at));
}

__attribute__((destructor)) static void counter_report(void)
{
    char digits[24];
    const char *path = getenv("FAULT_COUNT");
    if (path == NULL || counter == NULL)
        return;
    int n = snprintf(digits, sizeof digits, "%ld", atomic_load(counter));
    long fd = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd >= 0 && n > 0 && syscall(SYS_write, fd, digits, n) == n)
        syscall(SYS_close, fd);
}

#endif
