/* SPDX-License-Identifier: MIT */
/* Keeps programs and libraries of containers in perf's build-id cache, ~/.debug, where readers of a
 * saved recording look for them when the containers have ended:
 *
 *     .debug/PATH/BUILD-ID/elf                 the file, PATH as its process saw it
 *     .debug/.build-id/ab/cdef...              a link to its folder
 */
#ifndef BRZ_RECORD_KEPT_FILES_H
#define BRZ_RECORD_KEPT_FILES_H

#include <stdbool.h>

#include "base/diag.h"
#include "record/namespaces.h"

/* Limits: of a file and of all files in bytes, and of their number. */
#define BRZ_KEPT_FILE_MAX  ((uint64_t)512 << 20)
#define BRZ_KEPT_FILES_MAX ((uint64_t)2 << 30)
#define BRZ_KEPT_MAX       1000

/* Result of keeping files. */
typedef struct brz_kept_files {
    size_t n;        /* files that are in the cache now */
    size_t n_absent; /* files that could not be opened, or are other ones by now */
    size_t n_over;   /* files beyond the limits */
    size_t n_gone;   /* files of processes that ended early, perhaps in containers */
    size_t n_failed; /* files that could not be written */
    int error;       /* why one could not be written, or none could be read, as errno; 0: none */
} brz_kept_files;

/* Copies the files with code that processes in containers have mapped, by the mappings in a
 * complete recording, an open file, to the cache in a folder, which is created if it is missing.
 * Leaves out files that this process has at the same path.
 * `n` has the mounts of the containers. */
brz_kept_files brz_keep_files(int recording, const brz_namespaces *n, const char *cache);

#endif
