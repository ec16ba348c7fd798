/* SPDX-License-Identifier: MIT */
/* A trace that is being read: its calls, and the functions by which the parts of the collapser use
 * each other. */
#ifndef XDEBUG_TRACE_H
#define XDEBUG_TRACE_H

#include <brazier/collapser.h>
#include <brazier/text.h>

typedef struct xdebug_options {
    bool callsite;
} xdebug_options;

enum { WEIGHT_TIME, WEIGHT_MEMORY, WEIGHT_CALLS, N_WEIGHTS };

/* A call that has not returned yet. */
typedef struct open_call {
    uint32_t level;
    uint64_t number; /* number of the call in the trace; its exit repeats it */
} open_call;

typedef struct calls {
    open_call *open;
    size_t n_open, open_cap;
    int64_t time, memory; /* values at the last event */
    int64_t n_calls;      /* that have begun */
    uint64_t n_earlier;   /* events with an earlier time than the one before */
} calls;

#define NO_NUMBER UINT64_MAX

typedef struct xdebug {
    const xdebug_options *options;
    brz_lines lines;
    brz_frame_cache cache;
    calls calls;
    brz_text scratch;
    bool running;   /* between the beginning of a trace and its end */
    bool has_start; /* its heading has been read, so that its end has a line, too */
    bool was_odd;   /* the last line is no line of a trace */
    bool waits;     /* the last line is still to be read, together with the one below it */
} xdebug;

/* A parsed line of a trace. */
typedef struct entry {
    uint32_t level;
    uint64_t number;
    int64_t time, memory; /* nanoseconds, bytes */
    brz_str name;         /* without arguments */
    brz_str included;     /* file name, for include and similar functions */
    brz_str file, line;   /* call site */
    brz_str joined;       /* what follows the line of the call site */
    brz_str place;        /* or text from which computerized_place() parses the call site */
    bool user_defined;
    brz_str key; /* the part of the line that determines everything but time and memory */
} entry;

/* calls.c: passes calls and returns to the host. */
void calls_init(calls *c, brz_ctx *ctx);
brz_rc calls_enter(calls *c, brz_ctx *ctx, const entry *e, brz_frame frame);
/* Returns false if no such call is open. */
bool calls_leave(calls *c, brz_ctx *ctx, const entry *e, brz_rc *rc);
/* Ends all open calls: with `last`, an event without a call, or else at the last event. */
brz_rc calls_end(calls *c, brz_ctx *ctx, const entry *last);

/* names.c */
brz_frame frame_of(xdebug *x, brz_ctx *ctx, entry *e);

/* The three formats, and the types of their lines. */
enum line_says { SAYS_NOTHING, SAYS_ENTRY, SAYS_EXIT, SAYS_END, SAYS_ODD };
enum line_says computerized_line(brz_str line, entry *e);
void computerized_place(entry *e);
enum line_says textual_line(brz_str line, entry *e);
enum line_says html_line(brz_str line, entry *e);

#endif
