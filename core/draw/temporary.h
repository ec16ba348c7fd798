/* A file that is written beside the one it replaces and takes that one's name when it is complete.
 *
 * Its name is that of the target with a dot in front and ".brazier-N" behind. The process that
 * writes the file holds a lock on it. A file of such a name without a lock was left behind by a
 * process that was killed: brz_temporary_create removes it.
 */
#ifndef BRZ_TEMPORARY_H
#define BRZ_TEMPORARY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

typedef struct brz_temporary {
    int dir;       /* the folder that the two paths start at, or AT_FDCWD; the caller closes it */
    char *target;  /* the path that it is going to have */
    char *name;    /* the path that it has until then */
    pid_t creator; /* a process that is forked from it has no part in the file */
    int fd;        /* open for writing until brz_temporary_finish; -1 before brz_temporary_create */
    atomic_bool exists;         /* there is a file called `name` */
    struct brz_temporary *next; /* in the list of those that must not stay behind */
} brz_temporary;

/* Creates the file in the target's folder. `target` is relative to `dir`, which stays open until
 * brz_temporary_finish, or AT_FDCWD. `like` describes the file that is replaced: its
 * permission bits are kept, and its owner and group as far as the system allows that. If the group
 * cannot be kept, the group may do no more than everybody. Bits that change who a program runs as
 * (setuid, setgid) and the sticky bit are dropped. NULL: there is no such file, and the process's
 * umask decides. Returns false with the reason in errno. Finish it in any case. */
bool brz_temporary_create(brz_temporary *t, int dir, const char *target, const struct stat *like);

/* Renames the file to its target. Returns false with the reason in errno. */
bool brz_temporary_commit(brz_temporary *t);

/* Closes the file, removes it unless it was committed, and frees the names. */
void brz_temporary_finish(brz_temporary *t);

/* Removes the temporary files of this process. Safe in a signal handler and in atexit(). */
void brz_temporaries_discard(void);

#endif
