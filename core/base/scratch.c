/* SPDX-License-Identifier: MIT */
/* Creates files without a name. */
#include "base/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Number of bytes that are freed at a time. */
#define FREED_MIN ((uint64_t)1 << 20)

/* Creates a file that has a name for a moment. */
static int create_and_unlink(const char *folder)
{
    brz_buf path = {0};
    brz_buf_printf(&path, "%s/brazier-XXXXXX", folder);
    int fd = mkstemp(path.data), error = errno;
    if (fd >= 0) {
        unlink(path.data);
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
    brz_buf_finish(&path);
    errno = error;
    return fd;
}

/* Creates a file in a folder, without a name where the file system has such files. */
static int create_in(const char *folder)
{
#ifdef O_TMPFILE
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
        return fd;
#endif
    return create_and_unlink(folder);
}

int brz_scratch_create(brz_buf *error)
{
    const char *wish = getenv("TMPDIR");
    if (wish != NULL && wish[0] != '\0') {
        int fd = create_in(wish);
        if (fd < 0)
            brz_buf_printf(error, "no file can be created in TMPDIR, '%s': %s", wish,
                           strerror(errno));
        return fd;
    }
    int fd = create_in("/var/tmp");
    fd = fd < 0 ? create_in("/tmp") : fd;
    if (fd < 0)
        brz_buf_printf(
            error, "no file can be created in /var/tmp or /tmp: %s (TMPDIR names another folder)",
            strerror(errno));
    return fd;
}

void brz_scratch_free_before(int file, uint64_t *freed, uint64_t to)
{
    uint64_t n = to > *freed ? (to - *freed) / FREED_MIN * FREED_MIN : 0;
#ifdef FALLOC_FL_PUNCH_HOLE
    if (n > 0)
        fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)*freed, (off_t)n);
#else
    (void)file;
#endif
    *freed += n;
}
