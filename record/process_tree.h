/* SPDX-License-Identifier: MIT */
/* Finds the descendants of a process, to end them together with it.
 *
 * A process whose parent has already ended belongs to no tree, like a daemon.
 */
#ifndef BRZ_RECORD_PROCESS_TREE_H
#define BRZ_RECORD_PROCESS_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Reads the state of a process or thread ('Z': it has ended) and its parent. Returns false if there
 * is no such process. */
bool brz_process_read(pid_t pid, char *state, pid_t *parent);

typedef struct brz_process {
    pid_t pid;
    int fd; /* its descriptor, which never means another process */
} brz_process;

typedef struct brz_process_tree {
    brz_process *items;
    size_t n, cap;
} brz_process_tree;

/* Adds the descendants of a running process, 0 for none, but not itself, and those of the processes
 * of the tree. Without descriptors of processes (before Linux 5.3), adds none. */
void brz_process_tree_take(brz_process_tree *t, pid_t root);

/* Sends a signal to all that have not ended. */
void brz_process_tree_signal(const brz_process_tree *t, int sig);

/* Sends a signal to a child process and to its descendants. They are stopped meanwhile, so that
 * none starts another one unseen. */
void brz_process_tree_end(pid_t root, int sig);

/* Kills all that have not ended, and what they have started since they were added. */
void brz_process_tree_kill(brz_process_tree *t);

/* Returns whether all have ended. */
bool brz_process_tree_has_ended(const brz_process_tree *t);

void brz_process_tree_finish(brz_process_tree *t);

#endif
