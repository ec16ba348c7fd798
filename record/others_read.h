/* SPDX-License-Identifier: MIT */
/* Decides whether other users may read a file of a container. */
#ifndef BRZ_RECORD_OTHERS_READ_H
#define BRZ_RECORD_OTHERS_READ_H

#include <stdbool.h>

/* Returns whether all users may read an open file: by its own permissions, and by those of each
 * folder from `root`, a descriptor of a folder, to `path`, which is absolute and has no "..".
 * Returns false if the path leads over a symbolic link, or to another file. */
bool brz_others_may_read(int root, const char *path, int fd);

#endif
