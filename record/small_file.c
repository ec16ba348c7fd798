/* Reads files of the kernel. */
#include "record/small_file.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

bool brz_small_file_read(int dir, const char *path, brz_buf *to)
{
    int fd = openat(dir, path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return false;
    bool good = brz_buf_read(to, fd);
    int error = errno;
    close(fd);
    errno = error;
    return good;
}

long brz_small_file_number(const char *path, long otherwise)
{
    brz_buf text = {0};
    char *end = NULL;
    long value = brz_small_file_read(AT_FDCWD, path, &text) ? strtol(brz_buf_text(&text), &end, 10)
                                                            : otherwise;
    if (end == brz_buf_text(&text))
        value = otherwise;
    brz_buf_finish(&text);
    return value;
}
