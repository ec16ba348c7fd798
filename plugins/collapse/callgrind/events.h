/* SPDX-License-Identifier: MIT */
/* The events whose costs are counted: columns of the profile. */
#ifndef CALLGRIND_EVENTS_H
#define CALLGRIND_EVENTS_H

#include <brazier/text.h>

#define EVENTS_MOST 64 /* further events are reported and left out */

typedef struct event {
    brz_str name;
    uint32_t weight; /* index of the host */
    int64_t factor;  /* values are multiplied by it */
} event;

/* An event's long name: "event: cpu_e3 : cpu / 1000 (milliseconds)". */
typedef struct event_title {
    brz_str event, title;
} event_title;

typedef struct events {
    event items[EVENTS_MOST];
    uint32_t n;
    brz_str line; /* the names of the events */
    event_title *titles;
    size_t n_titles, titles_cap;
} events;

/* Reads the text after "event:". */
void events_read_title(events *e, brz_ctx *ctx, brz_str text);

/* Declares the events of the text after "events:". Returns false if others were declared before.
 */
bool events_declare(events *e, brz_ctx *ctx, brz_str text);

#endif
