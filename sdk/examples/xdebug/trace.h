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

/* A node of the call tree: a function called along one path. Node 0 is the root. */
typedef struct node {
    uint32_t parent, last_child; /* last_child: the child entered last; 0: none yet */
    uint32_t depth;              /* number of frames of the path to it */
    brz_frame frame;
    bool stored;
    brz_stack stack; /* valid once stored */
    int64_t values[N_WEIGHTS];
} node;

/* A call that has not returned yet. */
typedef struct open_call {
    uint32_t node;
    uint32_t level;
    uint64_t number; /* number of the call in the trace; its exit repeats it */
} open_call;

typedef struct calls {
    node *nodes;
    size_t n_nodes, nodes_cap;
    uint32_t *slots; /* hash table of nodes; 0: free */
    size_t n_slots;
    brz_hash_keys keys;
    open_call *open;
    size_t n_open, open_cap;
    int64_t time, memory; /* values at the last event */
    uint64_t n_earlier;   /* events with an earlier time than the one before */
    brz_frame *frames;    /* those of the stack stored last, and then of the next one */
    size_t frames_cap;
    uint32_t last_stored;           /* node whose stack was stored last; 0: none */
    const brz_frame *stored_frames; /* the host's copy of that stack */
    bool ordered, saturated;
} calls;

#define NO_NUMBER UINT64_MAX

typedef struct xdebug {
    const xdebug_options *options;
    brz_lines lines;
    brz_frame_cache cache;
    calls calls;
    brz_text scratch;
    bool running; /* between the beginning of a trace and its end */
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

/* calls.c: converts calls and returns to stacks with sums. Times do not decrease. */
void calls_init(calls *c, brz_ctx *ctx);
brz_rc calls_enter(calls *c, brz_ctx *ctx, const entry *e, brz_frame frame);
/* Returns false if no such call is open. */
bool calls_leave(calls *c, brz_ctx *ctx, const entry *e, brz_rc *rc);
void calls_end(calls *c);
brz_rc calls_pass(calls *c, brz_ctx *ctx, int64_t time, int64_t memory);
brz_rc calls_finish(calls *c, brz_ctx *ctx);

/* names.c */
brz_frame frame_of(xdebug *x, brz_ctx *ctx, entry *e);

/* The three formats, and the types of their lines. */
enum line_says { SAYS_NOTHING, SAYS_ENTRY, SAYS_EXIT, SAYS_END, SAYS_ODD };
enum line_says computerized_line(brz_str line, entry *e);
void computerized_place(entry *e);
enum line_says textual_line(brz_str line, entry *e);
enum line_says html_line(brz_str line, entry *e);

#endif
