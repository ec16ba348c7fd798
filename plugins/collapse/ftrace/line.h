/* SPDX-License-Identifier: MIT */
/* The lines of ftrace's reports. */
#ifndef FTRACE_LINE_H
#define FTRACE_LINE_H

#include "../../common/dump/dump.h"

typedef enum line_kind {
    LINE_NONE,     /* nothing to count: a comment, an interrupt, a rule */
    LINE_START,    /* "# tracer: ": another report begins */
    LINE_SWITCH,   /* a processor switches to another thread */
    LINE_ENTER,    /* a function begins */
    LINE_LEAVE,    /* a function ends */
    LINE_LEAF,     /* a function that calls none of the traced ones */
    LINE_FUNCTION, /* a function and its caller, of the tracer "function" */
    LINE_ODD,
} line_kind;

typedef struct trace_line {
    line_kind kind;
    brz_str cpu;       /* digits */
    brz_str task;      /* "NAME-PID", the thread; empty: unknown */
    brz_str next_task; /* of LINE_SWITCH: the next thread */
    brz_str function;  /* with its module: "name" or "name [module]" */
    brz_str caller;    /* of LINE_FUNCTION */
    size_t indent;     /* blanks before the function */
    int64_t duration;  /* nanoseconds, or -1: unknown */
    brz_str joined;    /* another line after this one, which lost its line end; empty: none */
    bool is_damaged;   /* of LINE_ODD: it would be LINE_FUNCTION if no byte of it were damaged */
} trace_line;

/* Parses a line without its line ending. */
trace_line line_read(brz_str text);

#endif
