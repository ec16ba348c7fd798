/* SPDX-License-Identifier: MIT */
/* Writes all bytes to a descriptor. */
#ifndef BRZ_WRITE_ALL_H
#define BRZ_WRITE_ALL_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

/* Writes `n` bytes, in one or more pieces. Returns false with the reason in errno after an
 * error. */
static inline bool brz_write_all(int fd, const void *data, size_t n)
{
    for (const char *at = data; n > 0;) {
        ssize_t done = write(fd, at, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        at += done;
        n -= (size_t)done;
    }
    return true;
}

#endif
