/* Finds the project's configuration: the nearest one from the working directory upwards. */
#ifndef BRZ_PROJECT_FILE_H
#define BRZ_PROJECT_FILE_H

#include <limits.h>

#include "base/beneath.h"
#include "base/diag.h"

typedef struct brz_project_file {
    char path[PATH_MAX];
    int fd;             /* the file, open for reading */
    brz_beneath folder; /* the folder that it was opened in */
} brz_project_file;

typedef enum brz_project_file_end {
    BRZ_PROJECT_FILE_NONE, /* there is none, or it is ignored */
    BRZ_PROJECT_FILE_OPEN,
    BRZ_PROJECT_FILE_FAILED, /* it cannot be read; reported */
} brz_project_file_end;

/* Opens the nearest file; then the caller closes the file and its folder. A file that somebody else
 * may have written, or a link, is ignored with a warning, unless `trust` is set. */
brz_project_file_end brz_project_file_find(brz_console *console, bool trust,
                                           brz_project_file *file);

/* Opens the file at `path`, which is no link, and its folder, whoever wrote it. False,
 * reported, if that fails. */
bool brz_project_file_open(brz_console *console, const char *path, brz_project_file *file);

/* True for a path whose last component is a name under which a project's file is found. */
bool brz_project_file_is_named(const char *path);

#endif
