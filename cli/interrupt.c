/* SPDX-License-Identifier: MIT */
/* Handles signals that end the program. */
#include "interrupt.h"

#include <brazier.h>

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/terminal_guard.h"
#include "plugin/crash.h"

#ifdef __linux__
#include "record/process_tree.h"
#endif

/* State for signal handlers, which have no arguments of their own. */
static brz_run *_Atomic running;
static volatile sig_atomic_t interrupted_by;
static pid_t program;
static struct timeval patience; /* time for a run to stop by itself */

/* The signals that end the program. */
static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

static void on_deadline(int sig);

/* Installs the handler only now, so that other uses of SIGALRM are not disturbed. */
static void set_deadline(void)
{
    const struct itimerval deadline = {.it_value = patience};
    struct sigaction action = {.sa_handler = on_deadline};
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &deadline, NULL);
}

/* Ends the program if the run has not stopped. A run in isolation ends its child itself. */
static void on_deadline(int sig)
{
    brz_run *run = atomic_load(&running);
    (void)sig;
    if (run != NULL && !atomic_load(&run->stop))
        return;
    if (run != NULL && atomic_load(&run->supervises)) {
        set_deadline();
        return;
    }
    brz_terminal_give_back();
    brz_crash_report_hang();
    brazier_discard_unfinished();
    brz_call_excuse();
    _exit(128 + interrupted_by);
}

static void end_at_once(int sig)
{
    brz_terminal_give_back();
    brazier_discard_unfinished();
    signal(sig, SIG_DFL);
    raise(sig); /* blocked until the handler returns */
}

/* Asks the run to stop. A second signal ends the program. */
static void on_interrupt(int sig)
{
    brz_run *run = atomic_load(&running);
    if (run != NULL ? atomic_exchange(&run->stop, true) : interrupted_by != 0) {
        end_at_once(sig);
        return;
    }
    interrupted_by = sig;
    if (getpid() == program) /* a child that inherited the handler is ended by its parent */
        set_deadline();
}

void cli_interrupt_install(struct timeval wait)
{
    struct sigaction action = {.sa_handler = on_interrupt}, old;
    program = getpid();
    patience = wait;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < BRZ_COUNT_OF(signals); i++) {
        bool below_nohup =
            signals[i] == SIGHUP && sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler == SIG_IGN;
        if (!below_nohup)
            sigaction(signals[i], &action, NULL);
    }
    signal(SIGCHLD, SIG_DFL); /* a parent that ignores it would hide the statuses of children */
}

void cli_interruptible(brz_run *run)
{
    if (run != NULL)
        run->stop_seconds = (double)patience.tv_sec + (double)patience.tv_usec / 1e6;
    atomic_store(&running, run);
    if (run != NULL && interrupted_by != 0)
        atomic_store(&run->stop, true);
}

int cli_interrupt_status(int status)
{
    return interrupted_by != 0 ? 128 + interrupted_by : status;
}

#ifdef __linux__
/* Ends the child process with its descendants. These are stopped meanwhile, so nothing may end the
 * program before they go on: neither another signal nor the deadline. */
static void end_tree(pid_t process, int sig)
{
    sigset_t held, before;
    sigemptyset(&held);
    sigaddset(&held, SIGALRM);
    for (size_t i = 0; i < BRZ_COUNT_OF(signals); i++)
        sigaddset(&held, signals[i]);
    sigprocmask(SIG_BLOCK, &held, &before);
    brz_process_tree_end(process, sig);
    sigprocmask(SIG_SETMASK, &before, NULL);
}
#endif

void cli_interrupt_pass_on(pid_t process)
{
    int sig = interrupted_by;
    if (sig == 0)
        return;
#ifdef __linux__
    end_tree(process, sig);
#else
    kill(process, sig);
#endif
}
