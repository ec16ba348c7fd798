/* SPDX-License-Identifier: MIT */
/* Sends events to pages. */
#include "web/events.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"

#define STREAMS_MOST 16
#define GRACE        2.0 /* seconds in which a page that is loaded again comes back */
#define EVENT_ROOM   64

static double now(void)
{
    return brz_clock_seconds(CLOCK_MONOTONIC);
}

void brz_events_init(brz_events *e)
{
    *e = (brz_events){.version = 0};
    pthread_mutex_init(&e->lock, NULL);
    pthread_cond_init(&e->changed, NULL);
}

void brz_events_change(brz_events *e)
{
    pthread_mutex_lock(&e->lock);
    e->version++;
    pthread_cond_broadcast(&e->changed);
    pthread_mutex_unlock(&e->lock);
}

void brz_events_end(brz_events *e)
{
    pthread_mutex_lock(&e->lock);
    e->is_ending = true;
    pthread_cond_broadcast(&e->changed);
    pthread_mutex_unlock(&e->lock);
}

bool brz_events_are_left(brz_events *e)
{
    pthread_mutex_lock(&e->lock);
    bool are_left = e->was_open && e->open == 0 && now() - e->left >= GRACE;
    pthread_mutex_unlock(&e->lock);
    return are_left;
}

void brz_events_finish(brz_events *e)
{
    pthread_cond_destroy(&e->changed);
    pthread_mutex_destroy(&e->lock);
}

brz_event_stream *brz_event_stream_open(brz_events *e)
{
    pthread_mutex_lock(&e->lock);
    bool has_room = e->open < STREAMS_MOST;
    e->open += has_room;
    e->was_open |= has_room;
    pthread_mutex_unlock(&e->lock);
    if (!has_room)
        return NULL;
    brz_event_stream *s = brz_calloc(1, sizeof *s);
    s->events = e;
    return s;
}

/* Waits for another version than `sent`, for at most a second. The caller holds the lock. */
static void wait_for_change(brz_events *e, uint64_t sent)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    int status = 0;
    while (!e->is_ending && e->version == sent && status == 0)
        status = pthread_cond_timedwait(&e->changed, &e->lock, &until);
}

ssize_t brz_event_stream_read(brz_event_stream *s, char *to, size_t max)
{
    brz_events *e = s->events;
    if (max < EVENT_ROOM)
        return 0;
    pthread_mutex_lock(&e->lock);
    wait_for_change(e, s->sent);
    bool is_ending = e->is_ending, has_changed = e->version != s->sent;
    s->sent = e->version;
    pthread_mutex_unlock(&e->lock);
    if (is_ending)
        return -1;
    return has_changed ? snprintf(to, max, "data: %llu\n\n", (unsigned long long)s->sent)
                       : snprintf(to, max, ":\n\n");
}

void brz_event_stream_close(brz_event_stream *s)
{
    brz_events *e = s->events;
    pthread_mutex_lock(&e->lock);
    e->open--;
    e->left = now();
    pthread_mutex_unlock(&e->lock);
    free(s);
}
