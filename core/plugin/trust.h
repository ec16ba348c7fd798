/* Whether a file may be loaded as code: only if nobody but root and the user could have written
 * it. */
#ifndef BRZ_TRUST_H
#define BRZ_TRUST_H

#include "base/buf.h"

#include <stdbool.h>

/* Checks a file and all folders above it, as ssh does with its own: owned by root or the user, not
 * writable by others. A sticky folder of root's, such as /tmp, may be above, but not hold the file
 * itself. `path` is absolute and without links. False with the reason, and the command that mends
 * it, added to `error`. */
bool brz_trust_path(const char *path, brz_buf *error);

/* For files that were installed with the program: they and their folder belong to root or to whom
 * the program belongs, and nobody can write them who could not as well write the program or its
 * folder. (What was built under umask 002 is fine for whoever runs it.) */
bool brz_trust_shipped(const char *path, const char *program, brz_buf *error);

#endif
