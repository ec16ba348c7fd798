/* SPDX-License-Identifier: MIT */
/* Opens files below a folder, and nowhere else.
 *
 * A configuration that was found rather than named may read and write only below its own folder.
 * Its paths are first checked as text. Then they are opened from a descriptor of the folder, one
 * component at a time, without following symbolic links. Nothing can be swapped between a check and
 * its use: every opened file lies below the folder.
 */
#ifndef BRZ_BENEATH_H
#define BRZ_BENEATH_H

#include <stdbool.h>
#include <sys/stat.h>

/* A folder that paths must not leave. */
typedef struct brz_beneath {
    char *path;   /* absolute, without links */
    int fd;       /* descriptor of the folder; -1: none */
    bool by_step; /* open paths by component even if the kernel can resolve them whole */
} brz_beneath;

/* A path from brz_beneath_resolve(), or an unrestricted one. */
typedef struct brz_inside {
    const brz_beneath *folder; /* NULL: unrestricted, and `path` is unused */
    char *path;
} brz_inside;

/* The reason for refusing a path, or a system error. */
typedef enum brz_refusal {
    BRZ_REFUSED_NOT,     /* not refused */
    BRZ_REFUSED_ABSENT,  /* nothing exists there, or another system error; see errno */
    BRZ_REFUSED_OUTSIDE, /* an absolute path that is not below the folder */
    BRZ_REFUSED_PARENT,  /* contains ".." */
    BRZ_REFUSED_HIDDEN,  /* a component begins with "." */
    BRZ_REFUSED_CONTROL, /* contains a control character */
    BRZ_REFUSED_LONG,    /* longer than PATH_MAX */
    BRZ_REFUSED_LINK,    /* a symbolic link on the way or at the end */
    BRZ_REFUSED_SPECIAL, /* a folder, pipe, device or socket instead of a regular file */
    BRZ_REFUSED_PROGRAM, /* an executable file, which must not be replaced */
} brz_refusal;

/* Opens the folder at `path`, which must be absolute and without links. The caller owns the struct.
 * Returns false with the reason in errno if that fails; then there is nothing to close. */
bool brz_beneath_open(brz_beneath *b, const char *path);

/* Closes the folder. Must not be called for a zeroed struct. */
void brz_beneath_close(brz_beneath *b);

/* Checks a path as text and makes it relative to the folder, without "." and empty components. A
 * relative `path` starts at `from`, which is an absolute path below the folder, or the folder's own
 * path. Stores the result in *inside, which the caller frees; "" is the folder itself. If the path
 * is refused, *inside is NULL. */
brz_refusal brz_beneath_resolve(const brz_beneath *b, const char *from, const char *path,
                                char **inside);

/* Opens the parent folder of `inside`, a path from brz_beneath_resolve(). Returns its descriptor,
 * which the caller closes, and stores the last component in *name. Returns -1 and stores the reason
 * if that fails. */
int brz_beneath_open_parent(const brz_beneath *b, const char *inside, const char **name,
                            brz_refusal *why);

/* Creates the missing folders on the way to `inside`. Opening the parent folder reports
 * failures. */
void brz_beneath_make_parent(const brz_beneath *b, const char *inside);

/* Opens a regular file for reading. Returns its descriptor, or -1 after storing the reason. */
int brz_beneath_open_file(const brz_beneath *b, const char *inside, brz_refusal *why);

/* Opens a file for reading as if the folder `root` were the root folder: links lead to places below
 * it. If the kernel cannot do that, or `by_step` is set, links below it are not followed, and
 * hidden names are refused. Never waits for the file. Returns -1 with the reason in errno if that
 * fails: EINVAL if it is not a regular file. */
int brz_beneath_open_in_root(const char *root, const char *path, bool by_step);

/* Does the same for the root folder of a process, such as "/proc/1/root", whose name does not tell
 * where it is. Returns -1 with ENOSYS in errno if the kernel cannot follow links below it. */
int brz_beneath_open_in_process(const char *root, const char *path);

/* Checks that `inside` is a regular file or a folder. */
brz_refusal brz_beneath_check(const brz_beneath *b, const char *inside);

/* Checks that a file `name` in the folder `dir` may be created or replaced: nothing exists there
 * (BRZ_REFUSED_ABSENT with errno ENOENT), or a regular file that is not executable, which *st then
 * describes. */
brz_refusal brz_beneath_check_target(int dir, const char *name, struct stat *st);

/* Returns a description of a refusal, such as "has '..' in it". For BRZ_REFUSED_ABSENT, returns the
 * system's message. */
const char *brz_refusal_text(brz_refusal why);

#endif
