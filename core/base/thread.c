/* SPDX-License-Identifier: MIT */
/* Starts threads of the library. */
#include "base/thread.h"

#include <signal.h>
#include <stdlib.h>

#include "base/number_locale.h"
#include "base/mem.h"

typedef struct task {
    void *(*work)(void *);
    void *arg;
} task;

static _Thread_local bool is_own;

bool brz_thread_is_own(void)
{
    return is_own;
}

/* Runs the task with a decimal point: a new thread has the locale of the process, not that of the
 * thread that started it. */
static void *run(void *context)
{
    task t = *(task *)context;
    free(context);
    is_own = true;
    brz_number_locale l = brz_number_locale_enter();
    void *result = t.work(t.arg);
    brz_number_locale_leave(&l);
    return result;
}

bool brz_thread_start(pthread_t *thread, void *(*work)(void *), void *arg)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
    sigset_t blocked, before;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        sigdelset(&blocked, own[i]);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    task *t = brz_malloc(sizeof *t);
    *t = (task){work, arg};
    bool good = pthread_create(thread, NULL, run, t) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!good)
        free(t);
    return good;
}
