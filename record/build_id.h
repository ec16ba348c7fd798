/* SPDX-License-Identifier: MIT */
/* Build ids, which identify the contents of programs and libraries. */
#ifndef BRZ_RECORD_BUILD_ID_H
#define BRZ_RECORD_BUILD_ID_H

#include <brazier/base.h>

#include <sys/types.h>

/* Size of a build id, at most. */
#define BRZ_BUILD_ID_MAX 20

/* Finds the build id among ELF notes. Returns its length, or 0. */
size_t brz_build_id_find(brz_str notes, uint8_t id[BRZ_BUILD_ID_MAX]);

/* Reads the build id of an open file. Returns its length, or 0 if it has none. */
size_t brz_build_id_of_file(int fd, uint8_t id[BRZ_BUILD_ID_MAX]);

/* A file that a process has mapped, as /proc/PID/maps describes it. */
typedef struct brz_mapped_file {
    pid_t pid;
    const char *name;
    uint64_t major, minor, inode;
    uint64_t start, end; /* addresses of the mapping */
} brz_mapped_file;

/* The build ids of files that were read lately. */
typedef struct brz_build_ids brz_build_ids;

brz_build_ids *brz_build_ids_create(void);
void brz_build_ids_destroy(brz_build_ids *b); /* NULL is allowed */

/* Reads the build id of a mapped file: a few kilobytes of a regular file. Returns its length, or 0
 * if it has none, or if another file has its name by now and the process does not show its own. */
size_t brz_build_ids_read(brz_build_ids *b, const brz_mapped_file *f, uint8_t id[BRZ_BUILD_ID_MAX]);

#endif
