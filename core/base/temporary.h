/* SPDX-License-Identifier: MIT */
/* Writes a file under a temporary name and renames it to that of the file it replaces when it is
 * complete.
 *
 * The temporary name is that of the target with a dot in front and ".brazier-N" appended. The
 * process that writes the file holds a lock on it. A file with such a name but without a lock was
 * left behind by a killed process: brz_temporary_create() removes it.
 */
#ifndef BRZ_TEMPORARY_H
#define BRZ_TEMPORARY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

typedef struct brz_temporary {
    int dir;       /* folder that both paths are relative to, or AT_FDCWD; the caller closes it */
    char *target;  /* final path */
    char *name;    /* temporary path */
    size_t stem;   /* length of `name` without its ending */
    pid_t creator; /* owner: forked processes must not remove the file */
    int fd;        /* open for writing from create to finish; -1 before */
    atomic_bool exists;         /* the file `name` exists */
    struct brz_temporary *next; /* in the list of unfinished files */
} brz_temporary;

/* Creates the file in the target's folder. `target` is relative to `dir`, which must stay open
 * until brz_temporary_finish(), or is AT_FDCWD. `like` describes the file to replace: its
 * permission bits are kept, and its owner and group as far as the system allows that. If the group
 * cannot be kept, it gets no more permissions than everybody. The setuid, setgid and sticky bits
 * are dropped. If `like` is NULL, there is no such file, and the process's umask applies. Returns
 * false with the reason in errno. Call brz_temporary_finish() in any case. */
bool brz_temporary_create(brz_temporary *t, int dir, const char *target, const struct stat *like);

/* Does the same, but gives the file its temporary name only when it is committed, where the file
 * system has files without names: nothing is left if the process is killed. */
bool brz_temporary_create_unnamed(brz_temporary *t, int dir, const char *target,
                                  const struct stat *like);

/* Renames the file to its target. Call fsync() before: after a loss of power, the target has what
 * was on the disk when it got its name. Returns false with the reason in errno: ESTALE if another
 * process has replaced the file under its temporary name. */
bool brz_temporary_commit(brz_temporary *t);

/* Closes the file, removes it unless it was committed, and frees the names. */
void brz_temporary_finish(brz_temporary *t);

/* Removes the temporary files of this process. Safe in signal handlers and in atexit(). */
void brz_temporaries_discard(void);

#endif
