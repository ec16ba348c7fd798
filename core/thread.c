/* Threads of our own. */
#include "thread.h"

#include <signal.h>

bool brz_thread_start(pthread_t *thread, void *(*work)(void *), void *arg)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
    sigset_t blocked, before;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        sigdelset(&blocked, own[i]);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    bool good = pthread_create(thread, NULL, work, arg) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return good;
}
