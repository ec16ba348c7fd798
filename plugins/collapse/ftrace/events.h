/* SPDX-License-Identifier: MIT */
/* Weighs events by their fields: those that are recorded beside functions, with the stacks of the
 * kernel below them. */
#ifndef FTRACE_EVENTS_H
#define FTRACE_EVENTS_H

#include "../../common/dump/dump.h"
#include "../../common/fields/weight_fields.h"

typedef struct ftrace_options {
    brz_strlist weight_field;
} ftrace_options;

/* The line of an event:
 *
 *     event := task "[" cpu "]" [flags] time ":"
 *              (name ":" payload | "sys_" name "(" payload ")" | name " -> " value)
 *     stack := task "[" cpu "]" [flags] time ":" ("<stack trace>" | "kernel_stack:" …)
 *     frame := "=>" function
 */
typedef struct trace_event_line {
    enum { EVENT_NONE, EVENT_BEGINS, EVENT_STACK, EVENT_OTHER_STACK, EVENT_FRAME } kind;
    brz_str task;    /* "NAME-PID" */
    brz_str name;    /* of the event; or the function of a frame */
    brz_str payload; /* its fields */
    bool is_hex;     /* numbers are hexadecimal without "0x" */
} trace_event_line;

/* Parses a line without its line ending. The kind is EVENT_NONE for other lines. */
trace_event_line event_line_read(brz_str text);

/* A kind of event, and its columns. */
typedef struct trace_event {
    brz_str name;
    uint32_t column;
    uint32_t *columns; /* of the fields */
} trace_event;

typedef struct trace_events {
    weight_fields fields;
    known_fields known;
    uint64_t n_lines;
    brz_frame_cache numbers; /* names to indices */
    trace_event *items;
    size_t n, cap;
    bool is_open;    /* an event is to be counted */
    bool has_stack;  /* frames below it are of the kernel's stack */
    uint32_t event;  /* index of the open one */
    brz_tag tag;     /* of its thread */
    brz_text frames; /* the functions of its stack, leaf first, each after its newline */
    brz_path path;
} trace_events;

void events_init(trace_events *e, brz_ctx *ctx, const ftrace_options *options);

/* Begins an event of a thread, after the one before was counted. */
void events_begin(trace_events *e, brz_ctx *ctx, const trace_event_line *line, brz_tag tag);

/* Adds a line below the open event. */
void events_continue(trace_events *e, brz_ctx *ctx, const trace_event_line *line);

/* Counts the open event, if there is one, under its stack, or under its name. */
brz_rc events_end(trace_events *e, dump *d, dump_describe *describe);

#endif
