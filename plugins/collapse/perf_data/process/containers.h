/* SPDX-License-Identifier: MIT */
/* The root folders through which files of recorded processes are reached, and the numbers that
 * processes have inside of their containers. */
#ifndef PERF_DATA_CONTAINERS_H
#define PERF_DATA_CONTAINERS_H

#include "../../../common/pair_map.h"

#include <brazier/binary.h>

/* Number of root folders for a process, and the size of their names. */
#define ROOTS_MAX     8
#define ROOT_NAME_MAX 48

/* A process whose namespaces the recording states. */
typedef struct inside {
    uint32_t pid;
    uint32_t own;    /* its number in its own namespace; 0: unknown */
    uint64_t mounts; /* inode of its namespace of mounts */
} inside;

/* A namespace of mounts whose root folder the recorder has open. */
typedef struct kept_mounts {
    uint64_t mounts;
    uint32_t recorder, root; /* process and descriptor; 0: it is not open */
} kept_mounts;

typedef struct containers {
    inside *items;
    size_t n, cap;
    pair_map by_pid;
    kept_mounts *kept;
    size_t n_kept, kept_cap;
} containers;

/* Names of root folders, the best one first; "" is that of this process. */
typedef struct process_roots {
    char names[ROOTS_MAX][ROOT_NAME_MAX];
    size_t n;
} process_roots;

void containers_init(containers *c, brz_ctx *ctx);

/* Notes the namespace of mounts of a process. */
void containers_note(containers *c, brz_ctx *ctx, uint32_t pid, uint64_t mounts);

/* Reads the namespaces that brazier's recorder has described. */
void containers_read(containers *c, brz_ctx *ctx, brz_bytes *b);

/* Returns what is known of a process, or NULL. */
const inside *containers_find(const containers *c, uint32_t pid);

/* Returns whether the mounts of a process were not those of its recorder. */
bool containers_are_foreign(const containers *c, uint32_t pid);

/* Lists the root folders that have the files of a process: its own one, that which the recorder has
 * open, those of other processes with the same mounts, and that of this process. */
process_roots containers_roots(const containers *c, uint32_t pid);

#endif
