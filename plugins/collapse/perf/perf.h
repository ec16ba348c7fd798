/* What the parts of the perf collapser share: options, what the prelude found, and the state of an
 * instance. */
#ifndef PERF_PERF_H
#define PERF_PERF_H

#include "event_line.h"
#include "frame_line.h"
#include "frame_name.h"
#include "known_lines.h"

#include <brazier/collapser.h>
#include <brazier/text.h>

enum { EVENT_FIRST, EVENT_ALL };

typedef struct perf_options {
    bool addrs, all, jit, kernel, inlined, pid, tid, srcline, frameless;
    int32_t event;
    brz_str event_filter;
    brz_strlist skip_after;
} perf_options;

/* What the first megabyte tells; the same for every instance. */
typedef struct perf_prelude {
    bool event_lines; /* there are lines that are event lines beyond doubt and name their event */
    bool periods;     /* the first of them has a period, or the last without an event */
    brz_str event;    /* of the first of them */
} perf_prelude;

/* An event that was met, and what becomes of its samples. */
typedef struct perf_event {
    brz_str label;
    uint32_t weight;
    bool counted;
    uint64_t left_out;
} perf_event;

enum perf_state {
    OUTSIDE,  /* between samples */
    COUNTING, /* in a sample */
    LEFT_OUT, /* in a sample of an event that is not counted */
};

/* The module of the last symbol; its text is in `head` if it is short. */
typedef struct perf_last_module {
    brz_words head;
    size_t len;
    uint32_t number;
} perf_last_module;

/* An event line that was seen, for those that follow: they differ in cpu, time and period. */
typedef struct perf_known_event {
    char head[64]; /* the line up to its process ids; head_len 0: none, or too long */
    size_t head_len;
    char label[64];
    size_t label_len;
    uint32_t event;
    brz_frame root;
    bool java;
} perf_known_event;

#define KNOWN_EVENTS 8 /* about as many threads are at work at a time */

/* A stack of which every line was of the usual form, for those that end like it. */
typedef struct perf_known_stack {
    const char *end; /* of its last line, in the current chunk */
    size_t len;      /* of its text, line ends included */
    uint64_t chunk;  /* in which it was seen */
    brz_path path;   /* its frames */
    brz_frame root;
    bool java;
    uint32_t *depths; /* how many frames its last 0, 1, … lines and the root are */
    uint32_t *next_depth;
    size_t depths_cap;
} perf_known_stack;

#define KNOWN_STACKS 64

/* A stack that is to be counted; NULL: none. */
typedef struct perf_waiting {
    brz_path *path;
    uint32_t weight;
    int64_t period;
} perf_waiting;

typedef struct perf {
    const perf_options *options;
    const perf_prelude *prelude;
    naming naming;
    brz_suffix_fn *common_suffix;
    brz_lines lines;
    brz_stacks stacks;       /* root first */
    brz_frame_cache modules; /* module text -> a number, the context of `frames` */
    brz_frame_cache frames;  /* symbol text -> frame, or list of frames */
    brz_frame_cache sources; /* "file:line" in the context of a frame -> the same */
    brz_frame_list lists;    /* n | STOPS, ids: what one symbol stands for if not one frame */
    brz_frame_list found;    /* what frame_name_resolve gave last */
    brz_text scratch, names;
    uint32_t n_modules;
    perf_last_module last_module;
    perf_event *events;
    uint32_t n_events, events_cap;
    uint64_t n_frameless;
    perf_known_event known_events[KNOWN_EVENTS];
    uint32_t last_event; /* of known_events */
    known_lines known_lines;
    perf_known_stack *known_stacks; /* by their outermost lines */
    uint64_t chunk;                 /* number of the current one */
    perf_waiting waiting;
    const uint8_t *usual_from; /* no stack of usual lines begins before this place of the chunk */

    /* the sample being read */
    enum perf_state state;
    bool java;       /* the process is a Java one */
    brz_frame root;  /* which is the process */
    uint32_t weight; /* its column */
    int64_t period;  /* what it weighs */
    /* and, if it is read line by line: */
    brz_frame_list body; /* its frames, leaf first */
    size_t last_n;       /* length of `body` before the last stack line; SIZE_MAX: it had none */
    frame_line last;     /* the last stack line, for a source line below it */
    bool stop;           /* --skip-after matched: callers are dropped */
    bool one_line;       /* the sample's stack stood on the line of its event */
    bool payload;        /* text stood behind the event */

    bool at_start;   /* nothing of the input has been seen but comments */
    brz_str pending; /* a line outside samples that begins one if a stack line follows */
} perf;

/* records.c: where samples begin. */
bool line_begins_sample(brz_str line, bool flat,
                        event_line *event); /* flat: no line names an event */
bool line_is_aside(brz_str line);           /* none of a sample's; the line is not empty */
size_t next_boundary(const uint8_t *buf, size_t n, size_t from, bool flat);
size_t last_boundary(const uint8_t *buf, size_t n, bool flat);

/* symbols.c: from stack lines to frames, through caches. A value is a frame, or, with LIST set, a
 * place in `lists`. */
#define LIST 0x80000000u
void symbols_init(perf *p, brz_ctx *ctx);
brz_frame_key symbol_key(perf *p, brz_ctx *ctx, const frame_line *line);
uint32_t symbol_value(perf *p, brz_ctx *ctx, const frame_line *line, const brz_frame_key *key);
uint32_t symbol_value_with_source(perf *p, brz_ctx *ctx, const frame_line *line, brz_str source,
                                  brz_frame without);
/* The frames of a value, root first; *stops: the last one ends the stack. */
const brz_frame *symbol_frames(const perf *p, const uint32_t *value, size_t *n, bool *stops);

/* events.c: from event lines to processes and columns. */
void events_init(perf *p, brz_ctx *ctx);
void event_begin(perf *p, brz_ctx *ctx, const event_line *event);
bool event_begin_known(perf *p, brz_str line);
void events_report(perf *p, brz_ctx *ctx);

/* sample.c: line by line. */
void sample_begin(perf *p, brz_ctx *ctx, const event_line *event);
void sample_continue(perf *p);
void sample_begin_orphan(perf *p, brz_ctx *ctx);
void sample_frame(perf *p, brz_ctx *ctx, const frame_line *line);
void sample_source(perf *p, brz_ctx *ctx, brz_str text, brz_str file, uint32_t number);
brz_rc sample_end(perf *p, brz_ctx *ctx);

/* usual.c: all lines of a stack at once, if they have the usual form. */
void usual_init(perf *p, brz_ctx *ctx);
bool take_usual_stack(perf *p, brz_ctx *ctx, brz_rc *rc);

/* Counts the stack that waits for it, if there is one. */
brz_rc usual_count_waiting(perf *p, brz_ctx *ctx);

#endif
