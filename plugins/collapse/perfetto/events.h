/* SPDX-License-Identifier: MIT */
/* Counts the time of events that a program emits: of slices of tracks, and of calls of Android's
 * atrace. */
#ifndef PERFETTO_EVENTS_H
#define PERFETTO_EVENTS_H

#include <brazier/text/buffer.h>
#include <brazier/text/frame_cache.h>

#include "../../common/nesting/nesting.h"
#include "clocks.h"
#include "sequences.h"
#include "tasks.h"

/* A thread, or another track. */
typedef struct event_track {
    task task;
    bool is_thread;
    size_t n_events;
} event_track;

typedef struct events {
    brz_ctx *ctx;
    sequences *sequences;
    clocks *clocks;
    tasks *tasks;
    brz_stacks stacks;
    nested_event *items;
    size_t n, cap;
    event_track *tracks;
    size_t n_tracks, tracks_cap;
    pair_map by_key;
    brz_frame_cache keys; /* of names, categories and operations */
    brz_frame *names;     /* frames by number */
    size_t n_names, names_cap;
    uint32_t n_operations; /* and categories */
    brz_text key;
    bool has_threads;
    uint64_t async, states, profiles, untimed;
} events;

void events_init(events *e, brz_ctx *ctx, sequences *q, clocks *c, tasks *t);

/* Takes an event of a track; the packet has a time or not. */
void events_take(events *e, sequence *of, const packet *p, int64_t time);

/* Takes the events of Linux's tracer, of which those of atrace count. Returns their number. */
uint64_t events_take_ftrace(events *e, const packet *p);

/* Counts the time of all events. `async`: also those of tracks that are no threads. `is_default`:
 * their weight is shown unless the user names another one. */
brz_rc events_finish(events *e, bool async, bool is_default);

#endif
