/* Opens files below one folder, and nowhere else.
 *
 * A configuration that was found, not named, may read and write only below its own folder. Its
 * paths are checked as text first; then they are opened from a descriptor of the folder, one
 * component after another, and no symbolic link is followed. Nothing can be swapped between a check
 * and its use: whatever is opened lies below.
 */
#ifndef BRZ_BENEATH_H
#define BRZ_BENEATH_H

#include <stdbool.h>
#include <sys/stat.h>

/* A folder that paths may not leave. */
typedef struct brz_beneath {
    char *path;   /* absolute, without links */
    int fd;       /* the folder itself; -1: none */
    bool by_step; /* do not let the kernel resolve whole paths, even where it can */
} brz_beneath;

/* A path that brz_beneath_resolve() made, or one that may lead anywhere. */
typedef struct brz_inside {
    const brz_beneath *folder; /* NULL: anywhere, and `path` says nothing */
    char *path;
} brz_inside;

/* The reason why a path is refused, or what the system says of it. */
typedef enum brz_refusal {
    BRZ_REFUSED_NOT,     /* it is fine */
    BRZ_REFUSED_ABSENT,  /* nothing is there; or errno says what else the system has against it */
    BRZ_REFUSED_OUTSIDE, /* an absolute path that does not lead below the folder */
    BRZ_REFUSED_PARENT,  /* it has ".." in it */
    BRZ_REFUSED_HIDDEN,  /* a component begins with "." */
    BRZ_REFUSED_LONG,    /* longer than PATH_MAX */
    BRZ_REFUSED_LINK,    /* a symbolic link is on the way, or at its end */
    BRZ_REFUSED_SPECIAL, /* no regular file: a folder, pipe, device or socket */
    BRZ_REFUSED_PROGRAM, /* an executable file, which is not to be replaced */
} brz_refusal;

/* Opens the folder at `path`, which is absolute and without links; the struct is the caller's.
 * False, with errno set, if that fails: then nothing is to be finished. */
bool brz_beneath_open(brz_beneath *b, const char *path);

/* Closes the folder. A zeroed struct is not an open one. */
void brz_beneath_close(brz_beneath *b);

/* Checks a path as text and makes it relative to the folder, without "." and empty components. A
 * relative `path` starts at `from`, an absolute path below the folder or the folder's own path.
 * *inside gets the result, to be freed by the caller: "" is the folder itself. On refusal *inside
 * is NULL. */
brz_refusal brz_beneath_resolve(const brz_beneath *b, const char *from, const char *path,
                                char **inside);

/* Opens the folder that holds `inside`, a path from brz_beneath_resolve(). Returns its descriptor,
 * which the caller closes, and the last component in *name; or -1 with the reason. */
int brz_beneath_open_parent(const brz_beneath *b, const char *inside, const char **name,
                            brz_refusal *why);

/* Opens a regular file for reading. Returns its descriptor, or -1 with the reason. */
int brz_beneath_open_file(const brz_beneath *b, const char *inside, brz_refusal *why);

/* Checks that `inside` is a regular file or a folder. */
brz_refusal brz_beneath_check(const brz_beneath *b, const char *inside);

/* Checks that a file `name` in the folder `dir` may be created or replaced: nothing is there
 * (BRZ_REFUSED_ABSENT with errno ENOENT) or a regular file that nobody can execute, which *st then
 * describes. */
brz_refusal brz_beneath_check_target(int dir, const char *name, struct stat *st);

/* Describes a refusal: "has '..' in it". The system's own words for BRZ_REFUSED_ABSENT. */
const char *brz_refusal_text(brz_refusal why);

#endif
