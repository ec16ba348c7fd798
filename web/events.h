/* SPDX-License-Identifier: MIT */
/* The stream of events by which pages learn that the profile has changed, and by which the server
 * learns that a page was closed: a beat each second fails to be sent then. */
#ifndef BRZ_WEB_EVENTS_H
#define BRZ_WEB_EVENTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct brz_events {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t version; /* of the page, from 1; 0: none yet */
    unsigned open;    /* number of streams */
    bool was_open, is_ending;
    double left; /* time at which the last stream ended, in seconds */
} brz_events;

/* A stream of one page. */
typedef struct brz_event_stream {
    brz_events *events;
    uint64_t sent; /* version that the page knows */
} brz_event_stream;

void brz_events_init(brz_events *e);

/* Announces the next version. */
void brz_events_change(brz_events *e);

/* Ends all streams. */
void brz_events_end(brz_events *e);

/* Returns whether streams were open, and none has been for some seconds. */
bool brz_events_are_left(brz_events *e);

void brz_events_finish(brz_events *e);

/* Opens a stream. Returns NULL if there are too many. */
brz_event_stream *brz_event_stream_open(brz_events *e);

/* Waits for an event or a second, and writes at most `max` bytes. Returns their number, or -1 at
 * the end. */
ssize_t brz_event_stream_read(brz_event_stream *s, char *to, size_t max);

void brz_event_stream_close(brz_event_stream *s);

#endif
