/* SPDX-License-Identifier: MIT */
/* Starts threads of the library in a process that may belong to another program. */
#ifndef BRZ_THREAD_H
#define BRZ_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Starts a thread. Blocks all signals on it except those caused by its own faults, because a
 * program's handlers should run on the program's threads. Numbers are formatted as described in
 * number_locale.h. Returns false if no thread can be created. */
bool brz_thread_start(pthread_t *thread, void *(*work)(void *), void *arg);

/* True on a thread that brz_thread_start started. */
bool brz_thread_is_own(void);

#endif
