/* SPDX-License-Identifier: MIT */
/* Maps whole files for reading, with slack around them.
 *
 * If a mapped file is truncated, the next access raises SIGBUS. A handler that calls
 * brz_mapping_rescue() turns this into an error of the run: see window.h, which maps files of any
 * size piece by piece.
 */
#ifndef BRZ_MAPPING_H
#define BRZ_MAPPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Maximum number of files that a process has mapped at a time. */
#define BRZ_MAPPINGS_MAX 4096

typedef struct brz_mapping {
    const uint8_t *data; /* the file, with BRZ_SLACK_FRONT and BRZ_SLACK_BACK around it */
    size_t len;
    uint8_t *region; /* all addresses that belong to the mapping */
    size_t region_len;
    unsigned slot;
} brz_mapping;

/* Maps the first `len` bytes of a regular file, whose descriptor may be closed afterwards. Returns
 * false if that is not possible: `len` is 0, the system refuses, or too many files are mapped. Any
 * thread may call it. */
bool brz_mapping_init(brz_mapping *m, int fd, uint64_t len);

/* Unmaps the file. A zeroed mapping is allowed. */
void brz_mapping_finish(brz_mapping *m);

/* Lets go of the memory of a file, which is read again where it is used again. */
void brz_mapping_let_go(const brz_mapping *m);

/* Returns true if the file has become shorter: bytes that were read are not those of the file. `fd`
 * is a descriptor of it, or -1, with which an end within the last page goes unnoticed. Call it
 * after using the bytes. */
bool brz_mapping_is_cut(const brz_mapping *m, int fd);

/* Handles SIGBUS: if the address lies in a mapping, replaces the missing part of the file by zeros,
 * records that, and returns true. The thread may then continue. */
bool brz_mapping_rescue(const void *address);

#endif
