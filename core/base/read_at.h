/* SPDX-License-Identifier: MIT */
/* Reads bytes of a file at an offset. */
#ifndef BRZ_READ_AT_H
#define BRZ_READ_AT_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

/* Reads `n` bytes at offset `at`, in one or more pieces. Returns the number of bytes, which is less
 * than `n` at the end of the file, with errno 0, and after an error. */
static inline size_t brz_read_at(int fd, void *to, size_t n, uint64_t at)
{
    size_t got = 0;
    while (got < n) {
        ssize_t done = pread(fd, (char *)to + got, n - got, (off_t)(at + got));
        if (done < 0 && errno == EINTR)
            continue;
        if (done == 0)
            errno = 0;
        if (done <= 0)
            break;
        got += (size_t)done;
    }
    return got;
}

#endif
