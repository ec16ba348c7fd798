/* SPDX-License-Identifier: MIT */
/* The lines of events that `perf trace` prints. */
#ifndef PERF_TRACE_EVENT_H
#define PERF_TRACE_EVENT_H

#include <brazier/base.h>

/* The kinds of lines. */
typedef enum event_kind {
    EVENT_NONE,       /* no event */
    EVENT_DAMAGED,    /* parts of an event */
    EVENT_UNFINISHED, /* a call that another line completes */
    EVENT_CALL,       /* a system call with a result */
    EVENT_OTHER,      /* a tracepoint or a page fault */
} event_kind;

typedef struct event {
    brz_str process; /* name, or empty */
    brz_str result;  /* what follows "= ", of a call */
    brz_str name;    /* of the system call, the tracepoint or the fault */
    int64_t thread;  /* with has_thread */
    int64_t time;    /* duration in nanoseconds, with has_time */
    bool has_thread, has_time, has_failed;
    bool is_call;            /* a system call, whole or not */
    bool has_start, has_end; /* the line begins, and ends, like an event */
    bool goes_on;            /* another line may complete it */
} event;

/* Parses a line:
 *
 *     event := time ["(" [duration " ms"] "): "] [[process "/"] thread] (call | fault | tracepoint)
 *     time  := milliseconds | "?"
 *     call  := (name "(" … | "... [continued]: " name "()") ")" ("= " result | "...")
 */
event_kind event_parse(brz_str line, event *e);

/* Finds a second event on a line, which lost a line end. Returns its offset, or SIZE_MAX. */
size_t event_find_joined(brz_str line);

#endif
