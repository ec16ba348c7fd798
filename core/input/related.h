/* SPDX-License-Identifier: MIT */
/* Opens files that belong to an input: the symbols of a program that a profile names, or the other
 * files of a set. docs/security.md has the rules and reasons.
 *
 * A name is absolute, or relative to the folder of the input. Files below the sysroot come first,
 * and are the only ones for absolute names that the input gives.
 * Only regular files of limited size are opened, without ever waiting for one, and mapped for
 * reading. Each is opened once per input, and stays mapped until the input has been read.
 */
#ifndef BRZ_RELATED_H
#define BRZ_RELATED_H

#include <brazier/host.h>

#include "base/beneath.h"
#include "base/buf.h"
#include "base/diag.h"

/* Maximum size of a file, number of files that are opened per input, and number of names that are
 * looked for: most places where a file could be do not have it. */
#define BRZ_RELATED_SIZE_MAX ((uint64_t)8 << 30)
#define BRZ_RELATED_MAX      4000
#define BRZ_RELATED_TRIES    64000

/* Maximum length of names and paths. */
#define BRZ_RELATED_PATH_MAX 4096

/* The folders in which files may lie. */
typedef struct brz_related_rules {
    const char *sysroot;        /* folder that is searched first; NULL: none */
    const char *input;          /* path of the input; NULL: it is not a file */
    const brz_beneath *beneath; /* files elsewhere must lie below this folder; NULL: anywhere */
    bool only_sysroot;          /* files elsewhere are refused */
} brz_related_rules;

/* A file that was looked for. */
typedef struct brz_related_found {
    int32_t status; /* BRZ_RELATED_* */
    int fd;         /* -1, unless the file is opened */
    uint64_t size;
    brz_buf path;      /* where it is; empty: nowhere */
    brz_buf why;       /* why it is refused; else empty */
    bool is_elsewhere; /* refused since it is not below the sysroot */
} brz_related_found;

/* Files of an input that are refused since they are not below the sysroot. */
typedef struct brz_related_elsewhere {
    size_t n_named, n_tried; /* that the input names, and where a file could be */
    brz_buf named, tried;    /* the first names of each */
} brz_related_elsewhere;

/* Looks for a file and opens it; the flags are those of brz_collapser_host.open_related. The caller
 * closes the descriptor and finishes the texts. */
brz_related_found brz_related_find(const brz_related_rules *rules, brz_str name, uint32_t flags);

/* Tells the user that a file was refused or, if the console is verbose, opened or absent. */
void brz_related_say(brz_console *console, const char *input, brz_str name,
                     const brz_related_found *found);

/* Counts a refused file; `flags` are those with which it was looked for. */
void brz_related_elsewhere_add(brz_related_elsewhere *e, brz_str name, uint32_t flags);

/* Reports all counted files in one message, if any file was counted. */
void brz_related_elsewhere_say(const brz_related_elsewhere *e, brz_console *console,
                               const char *input);

void brz_related_elsewhere_finish(brz_related_elsewhere *e);

void brz_related_found_finish(brz_related_found *found);

/* Flag of a search: the same file was searched for before, so only a refusal is reported. */
#define BRZ_RELATED_AGAIN 0x80000000u

/* A function that finds a file and tells the user about it; one thread calls it at a time. */
typedef brz_related_found brz_related_fn(void *context, brz_str name, uint32_t flags);

/* The files of an input, for all instances of its collapser. */
typedef struct brz_related brz_related;

/* Creates a set without files. `context` and `console` must outlive it. */
brz_related *brz_related_create(brz_related_fn *find, void *context, brz_console *console);

/* Does not ask for identities of files, which a process in isolation may not. Such a set opens no
 * file again. */
void brz_related_leave_out_identities(brz_related *r);

/* Opens a file, or returns the one that was opened before; implements
 * brz_collapser_host.open_related. Any thread may call it. The bytes stay valid until the set is
 * destroyed. NULL is a set without files. */
int32_t brz_related_open(brz_related *r, brz_str name, uint32_t flags, brz_related_file *file);

/* Does the same, but opens a file again if it has changed or was absent, and sets *has_changed,
 * which may be NULL. The bytes of before then become invalid. A file that is gone keeps its bytes.
 */
int32_t brz_related_open_again(brz_related *r, brz_str name, uint32_t flags, brz_related_file *file,
                               bool *has_changed);

/* States the file of the input, an open descriptor, so that others can be compared with it. */
void brz_related_set_input(brz_related *r, int fd);

/* Returns whether the open file with a path was changed after the file of the input was. Returns
 * false if the latter was not stated. Any thread may call it. */
bool brz_related_is_newer(brz_related *r, brz_str path);

/* Permits keeping what a collapser computes from files for later runs: see file_cache.h. */
void brz_related_use_cache(brz_related *r);

/* Stores in *content what was kept under a key for the open file with a path. The bytes stay valid
 * until the set is destroyed. Returns false if nothing is kept. Any thread may call it. */
bool brz_related_load(brz_related *r, brz_str path, brz_str key, brz_str *content);

/* Keeps what was computed from an open file, likewise, if that is possible. */
void brz_related_save(brz_related *r, brz_str path, brz_str key, brz_str content);

/* Lets go of the memory of files if much of it is in use: what is used again is read again. Opening
 * a file does so, too. NULL is allowed. */
void brz_related_rest(brz_related *r);

/* Returns the path of a file that has become shorter since it was opened, a text that stands for
 * such a file of the cache, or NULL. */
const char *brz_related_cut(const brz_related *r);

/* Unmaps all files. NULL is allowed. */
void brz_related_destroy(brz_related *r);

#endif
