/* SPDX-License-Identifier: MIT */
/* Limits how much processor time calls into plug-ins take. */
#include "plugin/budget.h"

#include <signal.h>
#include <unistd.h>

#include "plugin/crash.h"

/* They belong to the process, as the handler does. */
static unsigned granted; /* milliseconds */
static void (*before_the_end)(void);

/* The timer of a call that has just returned may expire late. */
static void on_limit(int sig, siginfo_t *info, void *context)
{
    (void)context;
    if (info->si_code == SI_TIMER) {
        brz_crash_blame_time(granted);
        return;
    }
    if (before_the_end != NULL)
        before_the_end();
    signal(sig, SIG_DFL);
    raise(sig);
}

void brz_budget_install(unsigned milliseconds, void (*clean_up)(void))
{
    struct sigaction action = {.sa_sigaction = on_limit, .sa_flags = SA_SIGINFO | SA_RESTART};
    granted = milliseconds;
    before_the_end = clean_up;
    sigemptyset(&action.sa_mask);
    sigaction(SIGXCPU, &action, NULL);
}

#if defined(__linux__)

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

brz_budget brz_budget_begin(void)
{
    brz_budget b = {.armed = false};
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGXCPU};
    event.sigev_notify_thread_id = gettid();
    b.armed = granted > 0 && timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &b.timer) == 0;
    return b;
}

void brz_budget_renew(const brz_budget *b)
{
    const struct itimerspec once = {
        .it_value = {.tv_sec = granted / 1000, .tv_nsec = granted % 1000 * 1000000L}};
    if (b->armed)
        timer_settime(b->timer, 0, &once, NULL);
}

void brz_budget_end(const brz_budget *b)
{
    if (b->armed)
        timer_delete(b->timer);
}

#else

brz_budget brz_budget_begin(void)
{
    return (brz_budget){.armed = false};
}

void brz_budget_renew(const brz_budget *b)
{
    (void)b;
}

void brz_budget_end(const brz_budget *b)
{
    (void)b;
}

#endif
