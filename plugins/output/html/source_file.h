/* SPDX-License-Identifier: MIT */
/* Opens source files that a profile names, below one folder.
 *
 * Names are untrusted. A file lies below the folder after symbolic links are resolved; it is a
 * regular file that is neither hidden nor in a folder called ".git".
 */
#ifndef HTML_SOURCE_FILE_H
#define HTML_SOURCE_FILE_H

#include <brazier/base.h>

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct source_folder {
    char path[PATH_MAX]; /* with symbolic links resolved */
    int fd;
} source_folder;

/* Opens a folder; false if there is no such folder. */
bool source_folder_open(source_folder *f, brz_str path);

void source_folder_close(source_folder *f);

/* Opens the file of that name, without its first folder if there is no such file, and so on. The
 * caller closes it. NULL if no such file may be read. */
FILE *source_folder_find(const source_folder *f, brz_str name);

#endif
