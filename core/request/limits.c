/* SPDX-License-Identifier: MIT */
/* Enforces the limits of a run on memory and time. */
#include "request/limits.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/memory_use.h"
#include "base/thread.h"
#include "plugin/crash.h"

/* Nanoseconds between checks. A program can fill some gigabytes of memory per second. */
#define INTERVAL ((uint64_t)5000000)

/* Nanoseconds that a stopped run has to end; more than an isolated child has. */
#define PATIENCE ((uint64_t)3000000000)

/* Distance of the system's limit above that of the thread, which can end the run in better order:
 * this number of bytes, and an eighth of the limit. */
#define SPARE ((uint64_t)16 << 20)

typedef enum exceeded { NOTHING, MEMORY, TIME } exceeded;

struct brz_limit_watch {
    brz_run *run;
    brz_limits limits;
    uint64_t began;        /* time on the clock CLOCK_MONOTONIC */
    uint64_t stopped;      /* time when the run was stopped; 0: not stopped */
    uint64_t memory_begin; /* memory of the process at the beginning */
    uint64_t system_limit; /* limit before the run; 0: unchanged */
    bool sees_memory;
    exceeded exceeded;
    bool has_thread, is_ready, is_over;
    pthread_t thread;
    pthread_mutex_t lock; /* protects is_ready and is_over */
    pthread_cond_t wake, ready;
};

/* ---- messages -------------------------------------------------------------------------------- */

/* Appends a description of the exceeded limit, in units that options accept. */
static void describe(const brz_limit_watch *w, brz_buf *b)
{
    static const struct {
        uint64_t factor;
        const char *name;
    } units[] = {{(uint64_t)1 << 30, "G"}, {(uint64_t)1 << 20, "M"}, {1 << 10, "K"}, {1, ""}};
    if (w->exceeded == TIME) {
        brz_buf_printf(b, "the run takes longer than %gs, the limit (max-time)",
                       (double)w->limits.time / 1e9);
        return;
    }
    size_t u = 0;
    while (w->limits.memory % units[u].factor != 0)
        u++;
    brz_buf_printf(b, "the run takes more memory than %llu%s, the limit (max-memory)",
                   (unsigned long long)(w->limits.memory / units[u].factor), units[u].name);
}

/* ---- the thread ------------------------------------------------------------------------------ */

static exceeded look(const brz_limit_watch *w, uint64_t time)
{
    brz_memory_use use;
    if (w->limits.time > 0 && time - w->began > w->limits.time)
        return TIME;
    if (w->sees_memory && brz_memory_use_read(&use) && use.resident > w->memory_begin &&
        use.resident - w->memory_begin > w->limits.memory)
        return MEMORY;
    return NOTHING;
}

/* Ends the process of a run that does not stop. */
static void give_up(const brz_limit_watch *w)
{
    brz_buf b = {0};
    describe(w, &b);
    brz_crash_give_up(brz_buf_text(&b));
}

static void watch_once(brz_limit_watch *w)
{
    uint64_t time = brz_clock_read(CLOCK_MONOTONIC);
    if (w->exceeded == NOTHING) {
        w->exceeded = look(w, time);
        if (w->exceeded == NOTHING)
            return;
        w->stopped = time;
        atomic_store(&w->run->stop, true);
    } else if (w->limits.is_strict && time - w->stopped > PATIENCE) {
        give_up(w);
    }
}

/* Waits for the next check. Returns false if the run has ended. */
static bool wait_for_turn(brz_limit_watch *w)
{
    uint64_t until = brz_clock_read(CLOCK_MONOTONIC) + INTERVAL;
    struct timespec t = {.tv_sec = (time_t)(until / 1000000000u),
                         .tv_nsec = (long)(until % 1000000000u)};
    int rc = 0;
    pthread_mutex_lock(&w->lock);
    while (!w->is_over && rc != ETIMEDOUT)
        rc = pthread_cond_timedwait(&w->wake, &w->lock, &t);
    bool goes_on = !w->is_over;
    pthread_mutex_unlock(&w->lock);
    return goes_on;
}

static void report_ready(brz_limit_watch *w)
{
    pthread_mutex_lock(&w->lock);
    w->is_ready = true;
    pthread_cond_signal(&w->ready);
    pthread_mutex_unlock(&w->lock);
}

static void *watch(void *arg)
{
    brz_limit_watch *w = arg;
    report_ready(w);
    while (wait_for_turn(w))
        watch_once(w);
    return NULL;
}

/* ---- life cycle
 * ------------------------------------------------------------------------------- */

static void begin_thread(brz_limit_watch *w)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->wake, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_cond_init(&w->ready, NULL);
    w->has_thread = brz_thread_start(&w->thread, watch, w);
}

/* Waits until the thread has started. A starting thread briefly holds locks of the allocator and of
 * the locale. A run in isolation forks, and the new process could never release them. A thread that
 * watches takes none. */
static void wait_for_thread(brz_limit_watch *w)
{
    pthread_mutex_lock(&w->lock);
    while (w->has_thread && !w->is_ready)
        pthread_cond_wait(&w->ready, &w->lock);
    pthread_mutex_unlock(&w->lock);
}

brz_limit_watch *brz_limit_watch_begin(brz_run *run, const brz_limits *limits)
{
    brz_memory_use use;
    if (limits->memory == 0 && limits->time == 0)
        return NULL;
    brz_limit_watch *w = brz_calloc(1, sizeof *w);
    w->run = run;
    w->limits = *limits;
    w->began = brz_clock_read(CLOCK_MONOTONIC);
    w->sees_memory = limits->memory > 0 && brz_memory_use_read(&use);
    w->memory_begin = w->sees_memory ? use.resident : 0;
    begin_thread(w);
    wait_for_thread(w);
    if (limits->memory > 0 && limits->is_strict) {
        uint64_t most = limits->memory < UINT64_MAX / 4 ? limits->memory : UINT64_MAX / 4;
        brz_memory_set_limit(limits->memory);
        w->system_limit =
            brz_memory_confine(most + most / 8 + SPARE + brz_memory_of_stacks(limits->threads));
    }
    return w;
}

static void end_thread(brz_limit_watch *w)
{
    pthread_mutex_lock(&w->lock);
    w->is_over = true;
    pthread_cond_signal(&w->wake);
    pthread_mutex_unlock(&w->lock);
    if (w->has_thread)
        pthread_join(w->thread, NULL);
    pthread_cond_destroy(&w->ready);
    pthread_cond_destroy(&w->wake);
    pthread_mutex_destroy(&w->lock);
}

static void release_memory(const brz_limit_watch *w)
{
    if (w->limits.memory == 0 || !w->limits.is_strict)
        return;
    brz_memory_release(w->system_limit);
    brz_memory_set_limit(0);
}

bool brz_limit_watch_end(brz_limit_watch *w, bool failed)
{
    if (w == NULL)
        return false;
    end_thread(w);
    release_memory(w);
    bool stopped = w->exceeded != NOTHING;
    if (stopped && failed) {
        brz_buf b = {0};
        describe(w, &b);
        brz_say_code(w->run->console, BRZ_FATAL, BRZ_SAYS_LIMIT, "%s", brz_buf_text(&b));
        brz_buf_finish(&b);
    }
    free(w);
    return stopped;
}
