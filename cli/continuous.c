/* SPDX-License-Identifier: MIT */
/* Records interval after interval. */
#include "continuous.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli.h"
#include "interval_names.h"

#define SECOND UINT64_C(1000000000)

/* Processes at the same time: one records, one writes. */
#define PROCESSES 2

/* Intervals in a row that may fail before their end. */
#define FAILURES 3

/* A process that ends earlier than this before the end of its interval has not recorded all of it.
 */
#define EARLY (SECOND / 5)

typedef struct process {
    pid_t pid; /* 0: none */
    uint64_t end;
} process;

typedef struct continuous {
    const cli_continuous *c;
    process processes[PROCESSES];
    sigset_t signals, old_signals;
    uint64_t end;        /* of the current interval, by the clock of now() */
    unsigned n_failures; /* in a row */
    bool has_recorded, is_asked_to_end, is_over;
    bool has_written; /* the files of an interval */
    int failure;      /* status of the last interval that failed */
    int status;
} continuous;

/* ---- time ------------------------------------------------------------------------------------ */

static uint64_t time_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

/* Returns a time that only moves forward. */
static uint64_t now(void)
{
    return time_of(CLOCK_MONOTONIC);
}

/* An interval. */
typedef struct interval {
    time_t begin;    /* the time in the names of its files */
    uint64_t length; /* nanoseconds */
} interval;

/* Returns the interval that begins now. Timers are a little early or late, so a begin near a
 * multiple of the length is that multiple. The first interval is up to half shorter or longer than
 * others. */
static interval next_interval(const cli_continuous *c)
{
    uint64_t at = time_of(CLOCK_REALTIME), multiple = (at + c->every / 2) / c->every * c->every;
    uint64_t off = at > multiple ? at - multiple : multiple - at;
    uint64_t begin = off < c->every / 10 ? multiple : at;
    return (interval){(time_t)(begin / SECOND), multiple + c->every - at};
}

/* ---- processes ------------------------------------------------------------------------------- */

/* Returns the words for an interval. */
static char **words_of(char *const *words, time_t begin)
{
    size_t n = 0;
    while (words[n] != NULL)
        n++;
    char **copy = brz_calloc(n + 1, sizeof *copy);
    for (size_t i = 0; i < n; i++) {
        brz_buf word = {0};
        cli_interval_name_add(&word, words[i], begin);
        copy[i] = brz_memdup(word.data, word.len);
        brz_buf_finish(&word);
    }
    return copy;
}

/* Records an interval, in its process, which ends with its parent. Signals of the terminal come
 * from the parent only. */
static _Noreturn void record(const continuous *s, pid_t parent, interval i)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(CLI_FAILED);
    sigprocmask(SIG_SETMASK, &s->old_signals, NULL);
    exit(s->c->record(s->c->context, words_of(s->c->words, i.begin), i.length));
}

/* Returns a place for a process, or NULL. */
static process *free_place(continuous *s)
{
    for (size_t i = 0; i < PROCESSES; i++)
        if (s->processes[i].pid == 0)
            return &s->processes[i];
    return NULL;
}

static void start_interval(continuous *s, interval i)
{
    process *p = free_place(s);
    s->end = now() + i.length;
    if (p == NULL) {
        brz_say(s->c->console, BRZ_WARNING,
                "an interval is left out: the files of the two before it are not written yet");
        return;
    }
    pid_t parent = getpid();
    fflush(NULL);
    p->pid = fork();
    if (p->pid == 0)
        record(s, parent, i);
    p->end = s->end;
    if (p->pid > 0)
        return;
    brz_say(s->c->console, BRZ_WARNING, "an interval is left out: %s", strerror(errno));
    s->failure = CLI_FAILED;
    p->pid = 0;
}

/* Decides what follows from the end of a process. */
static void take_end(continuous *s, const process *p, int status)
{
    bool is_early = now() + EARLY < p->end && !s->is_asked_to_end;
    if (status == CLI_OK)
        s->has_written = true;
    else
        s->failure = status;
    if (!is_early || status == CLI_OK) {
        s->has_recorded = true;
        s->n_failures = 0;
        s->is_over |= is_early; /* nothing is left to record */
        return;
    }
    s->n_failures++;
    if (s->has_recorded && s->n_failures < FAILURES && status != CLI_USAGE)
        return;
    s->is_over = true;
    s->status = status;
}

static void take_ends(continuous *s)
{
    for (process *p = s->processes; p < s->processes + PROCESSES; p++) {
        int status;
        if (p->pid == 0 || waitpid(p->pid, &status, WNOHANG) <= 0)
            continue;
        take_end(s, p, WIFEXITED(status) ? WEXITSTATUS(status) : CLI_FAILED);
        p->pid = 0;
    }
}

static bool is_running(const continuous *s)
{
    for (size_t i = 0; i < PROCESSES; i++)
        if (s->processes[i].pid != 0)
            return true;
    return false;
}

/* Ends the recording; what is recorded is still written. The second time, ends the processes. */
static void end_recording(continuous *s)
{
    for (const process *p = s->processes; p < s->processes + PROCESSES; p++)
        if (p->pid != 0 && (s->is_asked_to_end || now() < p->end))
            kill(p->pid, SIGINT);
    s->is_asked_to_end = true;
}

/* Waits for a signal up to a time, and does what it asks for. Looks for processes that have ended
 * in any case: nothing repeats a signal whose call was interrupted. */
static void wait_for_signal(continuous *s, uint64_t until)
{
    uint64_t at = now(), left = until > at ? until - at : 0;
    const struct timespec most = {(time_t)(left / SECOND), (long)(left % SECOND)};
    int signal = sigtimedwait(&s->signals, NULL, &most);
    if (signal > 0 && signal != SIGCHLD)
        end_recording(s);
    take_ends(s);
}

static void remove_old(const cli_continuous *c)
{
    for (size_t i = 0; i < c->n_files && c->keep > 0; i++)
        cli_interval_remove(c->files[i], time(NULL) - (time_t)(c->keep / SECOND), c->console);
}

/* Records intervals until something ends them. */
static void record_all(continuous *s)
{
    uint64_t last = s->c->duration > 0 ? now() + s->c->duration : UINT64_MAX;
    while (!s->is_asked_to_end && !s->is_over && now() < last) {
        interval next = next_interval(s->c);
        uint64_t left = last - now();
        next.length = next.length < left ? next.length : left;
        start_interval(s, next);
        while (!s->is_asked_to_end && !s->is_over && now() < s->end)
            wait_for_signal(s, s->end);
        remove_old(s->c);
    }
    while (is_running(s))
        wait_for_signal(s, now() + SECOND);
}

/* Keeps signals for wait_for_signal(), except for SIGHUP if it is ignored, as below nohup. */
static void block_signals(continuous *s)
{
    struct sigaction hang_up;
    sigemptyset(&s->signals);
    sigaddset(&s->signals, SIGINT);
    sigaddset(&s->signals, SIGTERM);
    sigaddset(&s->signals, SIGCHLD);
    if (sigaction(SIGHUP, NULL, &hang_up) != 0 || hang_up.sa_handler != SIG_IGN)
        sigaddset(&s->signals, SIGHUP);
    sigprocmask(SIG_BLOCK, &s->signals, &s->old_signals);
}

int cli_continuous_run(const cli_continuous *c)
{
    continuous s = {.c = c, .status = CLI_OK};
    block_signals(&s);
    record_all(&s);
    remove_old(c);
    sigprocmask(SIG_SETMASK, &s.old_signals, NULL);
    if (s.status != CLI_OK || s.has_written || s.failure == CLI_OK)
        return s.status;
    brz_say(c->console, BRZ_FATAL, "no interval has been written");
    return s.failure;
}
