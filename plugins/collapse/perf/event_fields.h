/* The fields of an event line. */
#ifndef PERF_EVENT_FIELDS_H
#define PERF_EVENT_FIELDS_H

#include <brazier/base.h>

typedef struct event_line {
    brz_str comm;   /* trimmed */
    brz_str pid;    /* empty if perf printed none */
    brz_str tid;    /* empty if perf printed none */
    brz_str event;  /* without modifiers and without the final colon; empty if perf printed none */
    brz_str label;  /* the event as printed, modifiers and colon included; empty likewise */
    int64_t period; /* 1 if perf printed none */
    bool has_period;
    bool has_time;
    brz_str head; /* the line up to where its process ids end */
    brz_str rest; /* trimmed: what follows the event, a payload or a stack line */
} event_line;

#endif
