/* Reads files of /proc and /sys, whose sizes the kernel does not state. */
#ifndef BRZ_RECORD_SMALL_FILE_H
#define BRZ_RECORD_SMALL_FILE_H

#include <fcntl.h>

#include "base/buf.h"

/* Appends the content of a file, whose path is relative to `dir` (or AT_FDCWD). Returns false with
 * the reason in errno if it cannot be read. */
bool brz_small_file_read(int dir, const char *path, brz_buf *to);

/* Returns the number in a file, or `otherwise` for a file without one. */
long brz_small_file_number(const char *path, long otherwise);

#endif
