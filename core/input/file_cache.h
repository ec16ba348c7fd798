/* SPDX-License-Identifier: MIT */
/* Keeps what was computed from files for later runs, such as unpacked debugging information.
 *
 * The folder is $XDG_CACHE_HOME/brazier or ~/.cache/brazier. Only the user may be able to write to
 * it; otherwise nothing is read or kept. An entry is valid as long as the place of its file on the
 * disk, its size and its times stay the same. The least recently used entries are deleted when all
 * of them take too much space. An entry that is missing is never an error.
 */
#ifndef BRZ_FILE_CACHE_H
#define BRZ_FILE_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include <brazier/base.h>

#include "input/mapping.h"

/* Limits of one entry and of all, in bytes. */
#define BRZ_FILE_CACHE_ENTRY_MAX ((uint64_t)128 << 20)
#define BRZ_FILE_CACHE_MAX       ((uint64_t)512 << 20)

/* The file from which an entry was computed. */
typedef struct brz_file_identity {
    uint64_t device, inode, size;
    int64_t modified[2], changed[2]; /* seconds and nanoseconds */
} brz_file_identity;

/* Returns the identity of an open file; zeros if the system does not tell it. */
brz_file_identity brz_file_identity_of(int fd);

/* Maps the content of an entry. `key` names the computation and the version of its format, in up to
 * 100 letters, digits, dots, dashes and underscores. Returns false if there is no such entry. The
 * caller finishes the mapping. */
bool brz_file_cache_load(const brz_file_identity *of, brz_str key, brz_mapping *m,
                         brz_str *content);

/* Keeps the content of an entry, if that is possible. Processes may do so at the same time: an
 * entry is complete or absent. */
void brz_file_cache_save(const brz_file_identity *of, brz_str key, brz_str content);

#endif
