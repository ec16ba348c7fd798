/* SPDX-License-Identifier: MIT */
/* Finds the project's configuration: the nearest one from the working directory upwards. */
#ifndef BRZ_PROJECT_FILE_H
#define BRZ_PROJECT_FILE_H

#include <limits.h>

#include "base/beneath.h"
#include "base/diag.h"

typedef struct brz_project_file {
    char path[PATH_MAX];
    int fd;             /* open for reading */
    brz_beneath folder; /* folder that it was opened in */
} brz_project_file;

typedef enum brz_project_file_end {
    BRZ_PROJECT_FILE_NONE, /* none, or an ignored one */
    BRZ_PROJECT_FILE_OPEN,
    BRZ_PROJECT_FILE_FAILED, /* unreadable; an error was reported */
} brz_project_file_end;

/* Opens the nearest file. The caller closes the file and its folder. Unless `trust` is set, ignores
 * a link or a file that somebody else may have written, with a warning. */
brz_project_file_end brz_project_file_find(brz_console *console, bool trust,
                                           brz_project_file *file);

/* Opens the file at `path`, which must not be a link, and its folder, regardless of who wrote it.
 * Returns false after reporting an error. */
bool brz_project_file_open(brz_console *console, const char *path, brz_project_file *file);

/* Opens the file that a found file in the folder `from` extends: a project's file in a folder above
 * it, in the same checkout. The rules of brz_project_file_find() apply. Stores the reason in *why
 * if the path is refused. */
brz_project_file_end brz_project_file_extended(brz_console *console, const brz_beneath *from,
                                               const char *path, brz_project_file *file,
                                               const char **why);

/* Returns whether the last component of a path is a name of project files. */
bool brz_project_file_is_named(const char *path);

#endif
