/* SPDX-License-Identifier: MIT */
/* The threads that are recorded. */
#ifndef BRZ_RECORD_TARGETS_H
#define BRZ_RECORD_TARGETS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct brz_targets {
    pid_t *list; /* threads, or -1 for all */
    size_t n, cap;
} brz_targets;

void brz_targets_add(brz_targets *t, pid_t tid);

/* Adds all threads of a process. Returns false if there is no such process. */
bool brz_targets_add_process(brz_targets *t, pid_t pid);

/* Returns the process that a thread belongs to, or `thread` if the system does not state it. */
pid_t brz_process_of_thread(pid_t thread);

/* Sorts the threads and removes repeated ones, which would count twice. */
void brz_targets_sort(brz_targets *t);

/* Adds the threads of `others` that are missing among the sorted ones, and sorts them. Returns
 * their number. */
size_t brz_targets_merge(brz_targets *t, const brz_targets *others);

void brz_targets_finish(brz_targets *t);

#endif
