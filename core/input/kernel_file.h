/* SPDX-License-Identifier: MIT */
/* Recognises files that the kernel makes when they are opened or read, as in /proc and /sys. */
#ifndef BRZ_KERNEL_FILE_H
#define BRZ_KERNEL_FILE_H

#include <stdbool.h>

/* Returns whether a path, of which links are followed, leads to such a file. Opening or reading one
 * may have effects, also on devices. False on systems other than Linux. */
bool brz_is_kernel_path(const char *path);

/* Returns whether an opened file is one. */
bool brz_is_kernel_file(int fd);

#endif
