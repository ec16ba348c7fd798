/* SPDX-License-Identifier: MIT */
/* Runs the items of jobs on threads that sleep between jobs. */
#include "host/parallel.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/thread.h"
#include "plugin/crash.h"

struct brz_parallel {
    const brz_loaded *plugin;
    const char *input;
    pthread_mutex_t lock; /* of the members below */
    pthread_cond_t begun, done;
    brz_parallel_work *work;
    void *arg;
    size_t n, next, n_done; /* items: of the job, begun, completed */
    uint32_t n_running;     /* threads that have begun to run */
    bool ends;
    pthread_t threads[BRZ_PARALLEL_MAX];
    unsigned n_threads; /* that were started */
    unsigned wanted;    /* number of threads to start with the first job */
};

brz_parallel *brz_parallel_create(unsigned threads, const brz_loaded *plugin, const char *input)
{
    brz_parallel *p = brz_calloc(1, sizeof *p);
    p->plugin = plugin;
    p->input = input;
    p->wanted = threads > BRZ_PARALLEL_MAX ? BRZ_PARALLEL_MAX : threads;
    p->wanted -= p->wanted > 0; /* the caller is one of them */
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->begun, NULL);
    pthread_cond_init(&p->done, NULL);
    return p;
}

/* Does the items that no other thread has begun. The lock is held before and after. */
static void do_items(brz_parallel *p, uint32_t thread)
{
    while (p->next < p->n) {
        size_t item = p->next++;
        brz_parallel_work *work = p->work;
        void *arg = p->arg;
        pthread_mutex_unlock(&p->lock);
        work(arg, item, thread);
        pthread_mutex_lock(&p->lock);
        if (++p->n_done == p->n)
            pthread_cond_signal(&p->done);
    }
}

static void *run(void *context)
{
    brz_parallel *p = context;
    void *stack = brz_crash_thread_begin();
    brz_call_enter(p->plugin, "parse", p->input, 0, 0);
    pthread_mutex_lock(&p->lock);
    uint32_t thread = ++p->n_running;
    while (!p->ends) {
        do_items(p, thread);
        if (!p->ends)
            pthread_cond_wait(&p->begun, &p->lock);
    }
    pthread_mutex_unlock(&p->lock);
    brz_call_leave();
    brz_crash_thread_end(stack);
    return NULL;
}

/* Starts the threads at the first job. */
static void start_threads(brz_parallel *p)
{
    while (p->n_threads < p->wanted && brz_thread_start(&p->threads[p->n_threads], run, p))
        p->n_threads++;
    p->wanted = p->n_threads;
}

void brz_parallel_start(brz_parallel *p, brz_parallel_work *work, void *arg, size_t n)
{
    brz_parallel_wait(p);
    pthread_mutex_lock(&p->lock);
    p->work = work;
    p->arg = arg;
    p->n = n;
    p->next = p->n_done = 0;
    pthread_cond_broadcast(&p->begun);
    pthread_mutex_unlock(&p->lock);
    start_threads(p);
}

void brz_parallel_wait(brz_parallel *p)
{
    if (p == NULL)
        return;
    pthread_mutex_lock(&p->lock);
    do_items(p, 0);
    while (p->n_done < p->n)
        pthread_cond_wait(&p->done, &p->lock);
    p->n = p->next = p->n_done = 0;
    pthread_mutex_unlock(&p->lock);
}

void brz_parallel_destroy(brz_parallel *p)
{
    if (p == NULL)
        return;
    brz_parallel_wait(p);
    pthread_mutex_lock(&p->lock);
    p->ends = true;
    pthread_cond_broadcast(&p->begun);
    pthread_mutex_unlock(&p->lock);
    for (unsigned i = 0; i < p->n_threads; i++)
        pthread_join(p->threads[i], NULL);
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->begun);
    pthread_cond_destroy(&p->done);
    free(p);
}
