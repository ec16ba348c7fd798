/* SPDX-License-Identifier: MIT */
/* The parts of a Chrome trace: events, the threads on which they happened, and profiles. */
#ifndef CHROME_TRACE_H
#define CHROME_TRACE_H

#include <brazier/text.h>

#include "../../common/json/column.h"
#include "../../common/json/members.h"
#include "../../common/nesting/nesting.h"
#include "../../common/v8/timeline.h"

#define NO_NAME     NESTED_NO_NAME
#define NANOSECONDS 3 /* decimals of microseconds */
#define FINEST      6 /* those in files that brazier wrote */

typedef struct options {
    bool args, async;
} options;

/* Members of an event. */
enum {
    EVENT_PHASE,
    EVENT_NAME,
    EVENT_CATEGORY,
    EVENT_PROCESS,
    EVENT_THREAD,
    EVENT_TIME,
    EVENT_DURATION,
    EVENT_THREAD_DURATION,
    EVENT_ID,
    EVENT_ID2,
    EVENT_ARGS,
    EVENT_STACK,
    EVENT_FILE,
    EVENT_LINE,
    EVENT_PARTS
};

/* Arguments of the event "brazier", which states where a thread comes from. */
enum {
    ORIGIN_WEIGHT,
    ORIGIN_PROCESS_ID,
    ORIGIN_THREAD_ID,
    ORIGIN_PROCESS,
    ORIGIN_THREAD,
    ORIGIN_TIMED,
    ORIGIN_SHOWN, /* the weight is the default */
    ORIGIN_PARTS
};

/* A thread, or an asynchronous operation. */
typedef struct track {
    brz_str process, thread; /* ids as written */
    brz_str name;            /* as written */
    size_t of;               /* index of the process */
    bool async;
    size_t n_events;
    brz_json_token *origin; /* in files that brazier wrote, or NULL */
    size_t column;          /* index, likewise */
    bool is_tagged;         /* `tag` is known */
    brz_tag tag;
} track;

typedef struct process {
    brz_str name;    /* as written */
    brz_str decoded; /* the same for readers, or empty: not decoded yet */
} process;

/* A CPU profile of V8 in the trace. */
typedef struct cpu_profile {
    timeline timeline;
    uint32_t track, context; /* the thread that was sampled; the context of the nodes' ids */
} cpu_profile;

/* A sample of a stack that the file lists by itself. */
typedef struct stack_sample {
    brz_json_token stack, weight, time;
    uint32_t track;
} stack_sample;

typedef struct trace {
    tree tree;            /* also holds the stacks */
    brz_frame_cache keys; /* of threads, processes, names and profiles */
    brz_text key, text, file, module;
    nested_event *events;
    size_t n_events, events_cap;
    track *tracks;
    size_t n_tracks, tracks_cap;
    process *processes;
    size_t n_processes, processes_cap;
    brz_frame *names; /* frames of names, BRZ_NO_FRAME: not made yet */
    size_t n_names, names_cap;
    cpu_profile *profiles;
    size_t n_profiles, profiles_cap;
    stack_sample *samples;
    size_t n_samples, samples_cap;
    brz_json_token stack_frames; /* the object as written */
    column *columns;             /* of the threads, in files that brazier wrote */
    size_t n_columns, columns_cap;
    column time, calls; /* time of profiles, or else of events; of events beside profiles */
    uint32_t count;     /* weight of the number of samples */
    uint32_t decimals;  /* times are multiples of 10^-decimals microseconds */
    uint32_t needed;    /* decimals that occur */
    bool own;           /* brazier wrote the file: a thread has an origin, or is a column */
    bool has_calls;     /* there are events of threads */
    uint32_t last_track;
    uint64_t async, negative;
    uint64_t summaries; /* events of clang that sum up others */
} trace;

/* Reads all events. Reports what cannot be read. */
void trace_read(trace *t, brz_ctx *ctx, brz_str text);

/* Tells the host what "metadata" or "otherData", which is open, says. Recognises files that brazier
 * wrote. */
void trace_metadata(trace *t, cursor *c);

/* Returns the tag of a thread, or BRZ_NO_TAG if the run does not need it. */
brz_tag trace_tag(trace *t, brz_ctx *ctx, uint32_t track);

/* ---- keys ---------------------------------------------------------------------------------- */

/* Kinds of keys. */
enum { KEY_THREAD = 1, KEY_ASYNC, KEY_PROCESS, KEY_NAME, KEY_PROFILE };

/* Returns the number of a key that consists of up to three texts. Gives it the number `next`, and
 * sets *is_new, if the key is new. */
uint32_t trace_key(trace *t, brz_ctx *ctx, uint32_t kind, const brz_str parts[3], size_t next,
                   bool *is_new);

/* Returns the index of a thread or operation; creates it if necessary. */
uint32_t trace_track(trace *t, brz_ctx *ctx, const brz_json_token *parts, bool async);

/* ---- frames (names.c) ------------------------------------------------------------------------ */

/* Returns the number of a name, or NO_NAME if it is not a text. */
uint32_t name_of(trace *t, brz_ctx *ctx, const brz_json_token *name);

/* Returns the frame of an event, whose name has a number. */
brz_frame name_frame(trace *t, brz_ctx *ctx, const brz_json_token *parts, uint32_t name);

/* Returns a line or column, which may be written as text; 0 if it is neither. */
uint32_t name_position(const brz_json_token *t);

/* ---- CPU profiles and samples (profiles.c) --------------------------------------------------- */

/* Reads an event that has a CPU profile of V8, or a part of one. Returns false for others. */
bool profile_take(trace *t, brz_ctx *ctx, const brz_json_token *parts);

/* Finds out which profiles have times. Returns true if any has samples. */
bool profiles_measure(trace *t, brz_ctx *ctx, bool *has_times);

/* Counts the samples of all profiles, and those that the file lists. */
brz_rc profiles_count(trace *t, brz_ctx *ctx);

/* ---- self time of events (calls.c) ----------------------------------------------------------- */

/* Counts the events of each thread in its column; those of asynchronous operations only if `async`
 * is set. Reports what does not nest. */
brz_rc calls_count(trace *t, brz_ctx *ctx, bool async);

#endif
