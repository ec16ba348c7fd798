/* Threads of our own in a process that may be somebody else's. */
#ifndef BRZ_THREAD_H
#define BRZ_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Starts a thread on which no signal is delivered but those of its own mistakes: a program's
 * handlers run on the program's threads. Numbers there are those of number_locale.h. False if there
 * is no thread to be had. */
bool brz_thread_start(pthread_t *thread, void *(*work)(void *), void *arg);

/* True on a thread that brz_thread_start started. */
bool brz_thread_is_own(void);

#endif
