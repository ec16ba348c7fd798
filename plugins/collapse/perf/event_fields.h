/* SPDX-License-Identifier: MIT */
/* The fields of an event line. */
#ifndef PERF_EVENT_FIELDS_H
#define PERF_EVENT_FIELDS_H

#include <brazier/base.h>

typedef struct event_line {
    brz_str comm;   /* trimmed */
    brz_str pid;    /* empty if perf printed none */
    brz_str tid;    /* empty if perf printed none */
    brz_str event;  /* without modifiers and without the final colon; empty if perf printed none */
    brz_str label;  /* the event as printed, with modifiers and colon; empty likewise */
    int64_t period; /* 1 if perf printed none */
    bool has_period;
    bool has_time;
    bool has_date;     /* `-F +tod` printed a date and a clock */
    brz_str time;      /* as printed, with its colon, if has_time */
    brz_str cpu;       /* as printed, in brackets; empty if perf printed none */
    const char *start; /* of the line; set if it has a time */
    brz_str rest;      /* trimmed text after the event: a payload or a stack line */
} event_line;

#endif
