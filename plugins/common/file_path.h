/* SPDX-License-Identifier: MIT */
/* Divides the path of a file into its folder and its name. */
#ifndef COMMON_FILE_PATH_H
#define COMMON_FILE_PATH_H

#include <brazier/text/find.h>

/* Returns the folder of a path, up to and including its last slash; an empty text without one. */
static inline brz_str path_folder(brz_str path)
{
    const char *slash = brz_rfind(path, '/');
    return brz_str_of(path.data, slash == NULL ? 0 : (size_t)(slash + 1 - path.data));
}

/* Returns the part of a path after its last slash: all of it without one. */
static inline brz_str path_base(brz_str path)
{
    return brz_str_from(path, path_folder(path).len);
}

#endif
