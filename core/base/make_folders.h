/* SPDX-License-Identifier: MIT */
/* Creates folders. */
#ifndef BRZ_MAKE_FOLDERS_H
#define BRZ_MAKE_FOLDERS_H

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"

/* Creates the folders on the way to the last component of a path, with a mode from which that of
 * the process is taken. Returns false with the first reason in errno if the last one is missing
 * then: those above it may exist where no folder can be created. */
static inline bool brz_make_folders(const char *path, mode_t mode)
{
    brz_buf folder = {0};
    bool good = true;
    int error = 0;
    for (const char *at = path; *at != '\0' && (at = strchr(at + 1, '/')) != NULL;) {
        folder.len = 0;
        brz_buf_add(&folder, path, (size_t)(at - path));
        good = mkdir(brz_buf_text(&folder), mode) == 0 || errno == EEXIST;
        if (!good && error == 0)
            error = errno;
    }
    brz_buf_finish(&folder);
    errno = error;
    return good;
}

#endif
