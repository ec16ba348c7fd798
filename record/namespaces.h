/* SPDX-License-Identifier: MIT */
/* Remembers the namespaces of recorded processes in containers.
 *
 * A compiler in a container writes the names of its functions to /tmp/perf-PID.map, with the number
 * that its process has inside and in the /tmp that it sees. So do programs and libraries have paths
 * inside. The recording states both for each process whose namespaces are not those of the
 * recorder, which keeps the mounts of a container until the recording is drawn.
 */
#ifndef BRZ_RECORD_NAMESPACES_H
#define BRZ_RECORD_NAMESPACES_H

#include <sys/types.h>

#include "base/buf.h"
#include "record/ring.h"

/* A process in other namespaces than the recorder. */
typedef struct brz_contained {
    uint32_t pid;
    uint32_t own;    /* its number in its own namespace; 0: unknown */
    uint64_t mounts; /* inode of its namespace of mounts */
} brz_contained;

/* A namespace of mounts that is kept. */
typedef struct brz_kept_mounts {
    uint64_t mounts;
    int space, root; /* descriptors of the namespace and of its root folder */
} brz_kept_mounts;

typedef struct brz_namespaces {
    uint64_t pids, mounts; /* inodes of those of the recorder */
    brz_contained *processes;
    size_t n, cap;
    brz_kept_mounts *kept;
    size_t n_kept, kept_cap;
    uint8_t *unseen; /* a bit for each number of a process that ended early; NULL: none did */
} brz_namespaces;

void brz_namespaces_init(brz_namespaces *n);

/* Looks at a process. Ignores one that has ended or may not be read. */
void brz_namespaces_add(brz_namespaces *n, pid_t pid);

/* Looks at the processes that execute programs by the records of a ring, and at those that
 * processes in containers start. One of these that has ended by now has the mounts of the process
 * that started it. */
void brz_namespaces_add_ring(brz_namespaces *n, const brz_ring *r);

/* Returns the root folder of a process in a container whose mounts are kept, or -1. */
int brz_namespaces_root(const brz_namespaces *n, uint32_t pid);

/* Returns whether a process may have been in a container whose mounts are not kept: it ended before
 * the recorder looked at it, or there are too many. */
bool brz_namespaces_misses(const brz_namespaces *n, uint32_t pid);

/* Appends the content of BRZ_FEATURE_NAMESPACES; nothing if all processes are outside of
 * containers. */
void brz_namespaces_describe(const brz_namespaces *n, brz_buf *feature);

/* Lets the mounts go. */
void brz_namespaces_finish(brz_namespaces *n);

#endif
