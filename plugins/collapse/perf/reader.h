/* SPDX-License-Identifier: MIT */
/* The state of a reader of what `perf script` prints, and the functions by which its parts use each
 * other. */
#ifndef PERF_READER_H
#define PERF_READER_H

#include "blank_line.h"
#include "event_line.h"
#include "event_template.h"
#include "../../common/names/frame_line.h"
#include "../../common/names/frame_name.h"
#include "../../common/fields/weight_fields.h"
#include "known_lines.h"
#include "../../common/off_cpu/off_cpu.h"

#include <brazier/collapser.h>
#include <brazier/text.h>

enum { EVENT_FIRST, EVENT_ALL };

/* Values of the option compat. */
enum { COMPAT_NONE, COMPAT_INFERNO };

typedef struct perf_options {
    bool addrs, all, jit, kernel, inlined, pid, tid, srcline, frameless;
    int32_t event, compat;
    brz_str event_filter;
    brz_strlist skip_after, weight_field;
    off_cpu_options off;
} perf_options;

/* An event that the first event lines name. */
typedef struct perf_seen_event {
    brz_str label, event;
    uint32_t lines, periods; /* all of these lines, and those with a period */
    bool is_repeated;        /* the first megabyte names it more than once */
} perf_seen_event;

#define SEEN_EVENTS 8

/* The outermost frame of a stack. */
typedef struct perf_root {
    brz_str symbol, module;
} perf_root;

#define SEEN_ROOTS 64

/* Properties of the input, detected in its first megabyte; the same for every instance. */
typedef struct perf_prelude {
    bool event_lines; /* some lines are certainly event lines and name their event */
    bool periods;     /* the first of these lines, or the last one without an event, has a period */
    brz_str event;    /* event of the first of these lines, or else of the first line with one */
    bool has_names;   /* two thirds of the first event lines name a process, or one of two */
    bool has_ids;     /* more than two thirds of the first event lines have the ids of a thread */
    bool has_times;   /* two thirds of them, and at least two, have a time */
    bool some_times;  /* one of them has */
    bool has_events;  /* as many name their event */
    bool has_periods; /* two thirds of those with an event, and at least two, have a period */
    perf_seen_event seen[SEEN_EVENTS]; /* the first events of these lines */
    uint32_t n_seen;
    bool ends_blank;             /* two thirds of the first stacks have a blank line at their end */
    perf_root roots[SEEN_ROOTS]; /* of the first stacks that have one */
    uint32_t n_roots;
    bool shares_roots; /* half of them have the root of another one */
    bool has_headers;  /* most of them have a line above them that is not blank */
    bool has_parts;   /* more of the first stacks have a line for each frame than are on one line */
    bool is_flat;     /* the first stacks are on one line, and no line is one of another stack */
    bool has_sources; /* some of them have a line with their source below */
    known_fields fields; /* of the first megabyte, if the option weight-field is set */
} perf_prelude;

/* An event and the treatment of its samples. */
typedef struct perf_event {
    brz_str label;
    uint32_t weight;
    bool counted;
    uint64_t left_out;
    uint32_t *columns; /* of the fields by which samples are weighed; NULL: none */
} perf_event;

enum perf_state {
    OUTSIDE,  /* between samples */
    COUNTING, /* in a sample */
    LEFT_OUT, /* in a sample of an event that is not counted */
};

#define MODULE_TEXT 51

/* A module of stack lines. */
typedef struct perf_module {
    uint32_t number; /* 0 is the empty module until another one occurs */
    uint32_t len;
    bool is_plain; /* it has neither brackets nor blanks */
    char text[MODULE_TEXT];
} perf_module;

#define KNOWN_MODULES 64

/* A stack line without the name of a function. */
typedef struct perf_nameless {
    uint32_t value;
    uint16_t len; /* 0: none */
    bool java;
    char text[89]; /* that after the address */
} perf_nameless;

#define KNOWN_NAMELESS 32

/* A switch, a wake-up or a sample, as the time off the processors needs it. */
typedef struct perf_switch {
    enum { NO_SWITCH, SAMPLED, SWITCHING, SWITCHED, WOKE } type;
    uint32_t tid, other; /* the thread of the sample; the one that comes back, or is woken */
    off_cpu_state state;
    int64_t time;
    brz_tag_desc who; /* its texts lie in `comm` */
    brz_text comm;
} perf_switch;

/* An event line for comparison with later ones. */
typedef struct perf_known_event {
    event_template line;
    uint32_t event;
    brz_frame root;
    bool java;
} perf_known_event;

#define KNOWN_EVENTS 8 /* about as many as threads that run at a time */

/* The position after a number of outermost lines of a stack. */
typedef struct perf_mark {
    uint32_t depth;    /* number of frames so far, including the root */
    uint32_t from_end; /* length of the text of these lines */
} perf_mark;

/* A stack read on the fast path, for later stacks with the same end. */
typedef struct perf_known_stack {
    const char *end; /* end of its text in the current chunk */
    size_t len;      /* length of its text, newlines included */
    size_t n;        /* number of its lines, or of those read so far */
    uint64_t chunk;  /* number of its chunk */
    brz_path path;   /* its frames */
    brz_frame root;
    bool java;
    perf_mark *marks; /* after its last 0, 1, … lines */
    size_t cap;       /* number of marks that have room */
} perf_known_stack;

#define KNOWN_STACKS 64

/* A stack that is still to be counted; path NULL: none. */
typedef struct perf_pending_stack {
    brz_path *path;
    uint32_t weight;
    int64_t period;
} perf_pending_stack;

typedef struct perf {
    const perf_options *options;
    const perf_prelude *prelude;
    naming naming;
    brz_suffix_fn *common_suffix;
    blank_line_fn *blank_line;
    brz_lines lines;
    uint64_t *newlines;      /* a map of the newlines of a sample read on the fast path */
    const char *mapped;      /* the text that it describes */
    brz_stacks stacks;       /* root first */
    brz_frame_cache modules; /* maps a module's text to a number, the context of `frames` */
    brz_frame_cache frames;  /* maps a symbol's text to a frame, or to a list of frames */
    brz_frame_cache sources; /* maps "file:line" to a value in the context of a frame */
    brz_frame_list
        lists; /* n | STOPS, ids: the frames of symbols that do not stand for a single one */
    brz_frame_list found; /* the last result of frame_name_resolve */
    brz_text scratch, names;
    uint32_t n_modules;
    perf_module known_modules[KNOWN_MODULES]; /* by a hash of their ends */
    perf_module long_module;                  /* the last one that does not fit among them */
    const perf_module *last_module; /* that of the last line that the fast path parsed, or NULL */
    perf_event *events;
    uint32_t n_events, events_cap;
    uint64_t n_frameless;
    uint64_t n_branches;      /* branches of a hardware trace that are counted */
    uint64_t n_parts;         /* stacks of which the input shows only a part */
    int64_t frameless_weight; /* sum of those of the input's first event */
    uint32_t first_weight;    /* its column; BRZ_NO_COLUMN: not declared */
    bool needs_places;        /* the run needs tags or times, which the fast path does not read */
    weight_fields fields;
    uint32_t event; /* that of the current sample, if samples are weighed by fields */
    perf_known_event known_events[KNOWN_EVENTS];
    uint32_t last_event; /* index into known_events: the one learned last */
    uint32_t same_event; /* that of the last sample */
    known_lines known_lines;
    perf_nameless nameless[KNOWN_NAMELESS]; /* by the length of the line */
    perf_known_stack *known_stacks;         /* indexed by a hash of their outermost lines */
    uint64_t chunk;                         /* number of the current chunk */
    perf_pending_stack pending_stack;
    off_cpu off;
    perf_switch last_switch; /* that of the current sample */
    uint64_t n_bad_switches; /* those without a time or with unknown fields */
    const uint8_t
        *fast_path_from; /* the fast path skips stacks before this position of the chunk */

    /* state of the current sample */
    enum perf_state state;
    bool java;       /* the process is a Java one */
    brz_frame root;  /* the process */
    uint32_t weight; /* its column */
    int64_t period;  /* its value */
    bool uncounted;  /* it is read because of the time off the processors only */
    /* state if it is read line by line */
    brz_frame_list body; /* its frames, leaf first */
    size_t last_n;   /* length of `body` before the last stack line; SIZE_MAX: no stack line yet */
    frame_line last; /* the last stack line, to which a source line below it belongs */
    bool stop;       /* --skip-after matched: outer frames are dropped */
    bool has_second; /* the last stack line was two lines in one, and was not taken */
    bool one_line;   /* the stack was on the event line */
    bool payload;    /* text followed the event */

    bool is_cut;     /* the current line is the last one, without a newline */
    bool skips_bad;  /* in a sample whose event line cannot be read */
    bool lost;       /* in a stack without an event line, which is left out */
    bool at_start;   /* only comments so far */
    brz_str pending; /* a line outside of samples that begins one if a stack line follows */
} perf;

/* Which lines may be a stack of one line without time and event: none, since other lines name their
 * event; those with a name in front of the stack, since other stacks have a line for each frame,
 * and a blank in the place of their tab is damage; or any. */
typedef enum perf_flat { NOT_FLAT, FLAT_WITH_NAME, FLAT } perf_flat;

/* records.c: boundaries of samples. */
bool line_begins_sample(brz_str line, perf_flat flat, event_line *event);
bool line_is_aside(brz_str line); /* not part of a sample; the line is not empty */

size_t next_boundary(const uint8_t *buf, size_t n, size_t from, perf_flat flat);
size_t last_boundary(const uint8_t *buf, size_t n, perf_flat flat);

/* layout.c: finds the fields and events of the first event lines. */
void layout_find(perf_prelude *found, brz_ctx *ctx, brz_str text);

/* Returns whether an event line lacks a field that those of the input have. It is damaged then, and
 * other parts of it that were recognised belong to other fields. A process may have an empty name,
 * in place of which perf prints blanks. */
bool layout_lacks_field(const perf_prelude *input, brz_str line, const event_line *event);

/* Returns whether the text after the event of a line names it again, or another one of the input:
 * the line is two lines without the newline between them. */
bool layout_has_two_events(const perf_prelude *input, const event_line *event);

/* Returns whether the first event lines name the event of a label. */
bool layout_names(const perf_prelude *input, brz_str label);

/* Returns whether the input names the event of a label more than once. */
bool layout_repeats(const perf_prelude *input, brz_str label);

/* Returns the event whose label, after damage to one byte, is that of an event line, or NULL. A
 * label that the input repeats is not damaged. */
const perf_seen_event *layout_undamaged(const perf_prelude *input, const event_line *event);

/* stack_ends.c: finds how the first stacks end. */
typedef struct stack_ends {
    brz_str line; /* the last one of the current stack */
    uint32_t stacks, blank;
    uint32_t with_header, without; /* stacks below a line, and below a blank line or none */
    bool is_below_line;            /* the line before is neither blank nor a comment */
} stack_ends;

/* Uses one of the first lines, without blanks at its end. */
void stack_ends_take(stack_ends *s, perf_prelude *found, brz_ctx *ctx, brz_str line, bool is_event);

/* Counts the current stack, which ends without a blank line, if the input shows only a part of it.
 * `is_line_cut`: its last line has no newline. */
void stack_ends_check(perf *p, bool is_line_cut);

/* Returns whether the last line of the input, without a newline, ends in front of the end of its
 * module, unlike the line above it. */
bool stack_ends_in_module(const perf *p, brz_str line);

/* symbols.c: converts stack lines to frames, through caches. A value is a frame, or, with LIST set,
 * an index into `lists`. */
#define LIST 0x80000000u
/* The symbol of a line that is two lines of a stack, which is not in the caches. */
#define TWO_LINES UINT32_MAX
void symbols_init(perf *p, brz_ctx *ctx);
const perf_module *symbol_module(perf *p, brz_ctx *ctx,
                                 brz_str module); /* valid until the next call */
uint32_t symbol_value(perf *p, brz_ctx *ctx, const frame_line *line, const perf_module *module);

static inline brz_frame_key symbol_key(const perf *p, brz_str symbol, const perf_module *module)
{
    uint32_t context = module->number << 2 | (uint32_t)p->naming.waker << 1 | p->java;
    return brz_frame_key_of(&p->frames, symbol.data, symbol.len, context);
}

/* Returns whether the value of a symbol depends on the address, too. */
static inline bool symbol_varies(const perf *p, brz_str symbol)
{
    bool unknown = symbol.len == 0 || symbol.data[0] == '[';
    return p->naming.places || (p->naming.addresses && unknown);
}

/* Finds the value of a symbol in the cache. */
static inline bool symbol_find(const perf *p, const brz_frame_key *key, uint32_t *value)
{
    if (symbol_varies(p, key->text))
        return false;
    *value = brz_frame_cache_find(&p->frames, key);
    return *value != BRZ_CACHE_MISS;
}

uint32_t symbol_value_with_source(perf *p, brz_ctx *ctx, const frame_line *line, brz_str source,
                                  brz_frame without);
/* Returns the frames of a value, root first; *stops says that the last one ends the stack. */
const brz_frame *symbol_frames(const perf *p, const uint32_t *value, size_t *n, bool *stops);

/* events.c: maps event lines to processes and columns. */
void events_init(perf *p, brz_ctx *ctx);
void event_begin(perf *p, brz_ctx *ctx, const event_line *event);
brz_frame event_root(perf *p, brz_ctx *ctx, const event_line *e); /* of its process */
bool event_begin_known(perf *p, brz_str line);
void event_leave_out_frameless(perf *p);
bool event_is_chosen(const perf *p, const event_line *e); /* by an option */
void events_report(perf *p, brz_ctx *ctx);

/* fields.c: weighs samples by fields of their payloads. */
void fields_find(perf_prelude *found, brz_ctx *ctx, brz_str text);
void fields_begin(perf *p, brz_ctx *ctx, uint32_t event, brz_str payload);
brz_rc fields_count(perf *p, brz_ctx *ctx);
brz_rc fields_report(const perf *p, brz_ctx *ctx);

/* event_damage.c: recognises damaged event lines. event_hides_time() finds a damaged time in the
 * name of the process or of the event, event_is_damaged_record() a record that is no sample, and
 * event_is_part_of_record() the front of one that is divided, or one without its name.
 * event_has_other_after() finds an event line after the module of a stack line in the text after
 * an event. */
bool event_hides_time(const event_line *event);
bool event_is_damaged_record(const event_line *event);
bool event_is_part_of_record(brz_str line);
bool event_has_other_after(brz_str rest);

/* Finds what the sample of an event line that cannot be read weighs in the first column, by the
 * name of its event in the line or by the event that it has. Returns false if that is not known. */
bool event_weight_in(const perf_prelude *input, brz_str line, int64_t *weight);
bool event_weighs_one(const perf_prelude *input); /* all lines are of one event without periods */
bool event_weight_of(const perf_prelude *input, const perf_seen_event *seen,
                     const event_line *event, int64_t *weight);

/* Returns the text after the name of an event of the first lines. Its `data` is NULL if the line
 * has no such event. */
brz_str event_after_name(const perf_prelude *input, brz_str line);

/* Returns whether a line has ids or a processor, and after these a time, perhaps a damaged one. */
bool event_is_like(brz_str line);

/* Returns whether a line ends in "pid/tid" or a processor, after another word, or in a number after
 * these. */
bool event_is_front(brz_str line);

/* event_place.c: reads the time, the thread and the processor of a sample. */
int64_t event_time(brz_str time);      /* in nanoseconds; the largest one if it does not fit */
int64_t event_number_in(brz_str text); /* the digits at its front; -1: none */
bool event_id_in(brz_str text, uint32_t *id); /* likewise, if they fit */
brz_tag_desc event_describe(const event_line *e);

/* switches.c: finds switches and wake-ups. */
void switches_begin(perf *p, brz_ctx *ctx, const event_line *e);
brz_rc switches_end(perf *p, brz_ctx *ctx);
void switches_report(perf *p, brz_ctx *ctx);

/* side_records.c: uses a line that is not part of a sample. */
brz_rc side_record_take(perf *p, brz_ctx *ctx, brz_str line);

/* sample.c: reads samples line by line. */
void sample_begin(perf *p, brz_ctx *ctx, const event_line *event);
void sample_continue(perf *p);
void sample_begin_orphan(perf *p, brz_ctx *ctx);
void sample_frame(perf *p, brz_ctx *ctx, const frame_line *line);
void sample_source(perf *p, brz_ctx *ctx, brz_str text, brz_str file, uint32_t number);
brz_rc sample_end(perf *p, brz_ctx *ctx);

/* fast_path.c: reads all lines of a common stack at once. */
void fast_path_init(perf *p, brz_ctx *ctx);

/* Reads the lines up to the next blank line as the stack of the current sample and ends the sample.
 * Does nothing if there are no lines or if one is not in the common form. */
void fast_path_take_stack(perf *p, brz_ctx *ctx, brz_rc *rc);

/* Reads known event lines and their stacks until it finds other lines. Returns the beginning of the
 * lines that are still to be read. The sample to which they belong ends at *stop. */
const char *fast_path_take_samples(perf *p, brz_ctx *ctx, brz_str text, const char **stop,
                                   brz_rc *rc);

/* Counts the pending stack, if there is one. */
brz_rc fast_path_count_pending(perf *p, brz_ctx *ctx);

#endif
