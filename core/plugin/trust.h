/* SPDX-License-Identifier: MIT */
/* Decides whether a file may be loaded as code: only if nobody except root and the user could have
 * written it. */
#ifndef BRZ_TRUST_H
#define BRZ_TRUST_H

#include "base/buf.h"

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

/* The program, and what is known from earlier checks of files that were installed with it. Only the
 * path must be set. */
typedef struct brz_program {
    const char *path;
    bool is_known;           /* the attributes have been read */
    struct stat file, bin;   /* attributes of the program and of its folder */
    char good_dir[PATH_MAX]; /* folder of plug-ins that passed the check; empty: none */
} brz_program;

/* Checks a file and all folders above it, as ssh does with its own files: each must be owned by
 * root or the user, and not be writable by others. A sticky folder owned by root, such as /tmp, may
 * be above, but must not contain the file itself. `path` must be absolute and without links.
 * Returns false and appends the reason, and a command that fixes it, to `error`. */
bool brz_trust_path(const char *path, brz_buf *error);

/* Checks a file that was installed with the program: it and its folder must belong to root or to
 * the owner of the program, and nobody may have write access to them who does not have it to the
 * program or its folder. `st` has the attributes of the file. (A program built with umask 002 can
 * therefore be run by everybody.) Reads the attributes of the program once, and those of the folder
 * once until they are forgotten. */
bool brz_trust_shipped(const char *path, const struct stat *st, brz_program *program,
                       brz_buf *error);

/* Forgets which folder of plug-ins was good, since it may change. */
void brz_trust_forget_dir(brz_program *program);

#endif
