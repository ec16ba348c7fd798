/* SPDX-License-Identifier: MIT */
/* The state of a reader of what bpftrace prints, and the functions by which its parts use each
 * other. */
#ifndef BPFTRACE_READER_H
#define BPFTRACE_READER_H

#include <brazier/collapser.h>
#include <brazier/json.h>
#include <brazier/text.h>

#include <string.h>

enum { ROOTS_ALL, ROOTS_NAMES, ROOTS_NONE };
enum { STACKS_AUTO, STACKS_KERNEL, STACKS_USER, STACKS_KERNEL_USER, STACKS_USER_KERNEL };

typedef struct bpftrace_options {
    bool addrs, frameless, inlined, kernel, offsets;
    int32_t roots, stacks;
} bpftrace_options;

/* The layout of printed events; all zero if there are too few to know it, and for JSON. */
typedef struct event_layout {
    bool is_indented; /* stack lines are */
    bool is_raw;      /* most stack lines are addresses alone, in place of names */
    bool has_blanks;  /* blank lines are in front of headers and after them */
    bool few_headers; /* none or one: parsing starts at maps only */
    bool is_headless; /* no line is a header, although one may look like it */
    size_t slots;     /* the stacks that an event prints, empty ones included; 0: not known */
} event_layout;

/* Properties of the input, detected in its first megabyte. */
typedef struct bpftrace_prelude {
    bool json;
    bool one_map; /* all entries in the first megabyte belong to one map; false for JSON */
    brz_str map;  /* that map */
    event_layout layout;
    bool plain; /* stack lines in keys may be any text: neither indented nor with an offset */
} bpftrace_prelude;

/* ---- symbols -------------------------------------------------------------------------------- */

/* Side of the system call that a stack belongs to. */
enum { SIDE_UNKNOWN, SIDE_USER, SIDE_KERNEL, N_SIDES };

/* Evidence for the side of a stack, from one of its lines; all lines of a stack have the same
 * side. */
enum { KERNEL_ADDRESS = 1, USER_ADDRESS = 2, KERNEL_NAME = 4, USER_NAME = 8 };

/* The symbol of a stack line; its frame depends on the side of its stack. */
typedef struct symbol {
    brz_str text;  /* the stack line */
    uint32_t next; /* the symbol that followed it last; 0: none */
    brz_str name, module, file;
    uint32_t line;
    uint32_t evidence;
    bool inlined;
    brz_frame frames[N_SIDES]; /* BRZ_NO_FRAME: not created yet */
} symbol;

/* A stack of the sample being read: a range of its symbols, leaf first. */
typedef struct stack {
    size_t first, n;
    uint32_t evidence;
    uint32_t side;
} stack;

enum reader_state {
    OUTSIDE,  /* between map entries and events */
    IN_KEY,   /* after "@name[", before its "]: value" */
    IN_EVENT, /* after at least one stack line outside of a map */
};

enum json_state { AT_LINE, IN_ENTRIES, IN_REST };

typedef struct bpftrace {
    const bpftrace_options *options;
    const bpftrace_prelude *prelude;
    brz_lines lines;
    brz_stacks stacks;     /* root first */
    brz_frame_cache cache; /* see symbols.c */
    symbol *symbols;       /* the first one has an empty text and stands for no line */
    size_t n_symbols, symbols_cap;
    uint32_t last_symbol; /* of the previous stack line; 0: none */
    brz_text scratch;

    /* state of the current sample */
    enum reader_state state;
    uint32_t *found; /* symbols of all its stacks, in the order printed */
    size_t n_found, found_cap;
    stack *parts;
    size_t n_parts, parts_cap;
    brz_frame *roots;
    size_t n_roots, roots_cap;
    brz_text map;            /* name of its map, without '@' */
    brz_text header;         /* the line before an event's stacks */
    bool headed;             /* the event has a header */
    bool gap;                /* an empty line followed the event's last stack line */
    size_t blanks, n_stacks; /* of the event: blank lines, stacks with lines */
    brz_text pending;        /* a line that is a header if the next one is blank; empty: none */
    brz_str pending_line;    /* the same; not used for JSON */
    bool pending_in_stack;   /* a stack line is in front of it */
    bool after_blank;        /* the line before is blank */
    bool lost_key;           /* the lines are those of a key without a beginning */
    bool after_entry;        /* the line before ends an entry */
    bool is_value_joined;    /* another entry follows the value, whose last digit may be damage */

    enum json_state json;
    brz_json parser;
    brz_text decoded; /* a decoded key, or the text that printf wrote */
    brz_text partial; /* an incomplete last line of that text */

    brz_str where;         /* the line being read, for reports; not used for JSON */
    brz_str entry;         /* the first line of the map entry being read; not used for JSON */
    brz_str last_in_key;   /* the last line of its key, likewise; empty: none */
    brz_str odd_in_key;    /* the last one that is unlike the others */
    brz_str joined_in_key; /* the last one that is two lines */
    uint64_t n_frameless, n_other_values;
    uint64_t n_empty;         /* number of frameless entries with an empty stack in their key */
    uint64_t n_empty_weighed; /* number of these in the only map */
    int64_t empty_weight;     /* sum of their values */
} bpftrace;

/* symbols.c: converts stack lines to frames. */
void symbols_init(bpftrace *b, brz_ctx *ctx);
uint32_t symbol_of(bpftrace *b, brz_ctx *ctx, brz_str line);
brz_frame symbol_frame(bpftrace *b, brz_ctx *ctx, uint32_t number, uint32_t side);
brz_frame root_frame(bpftrace *b, brz_ctx *ctx, brz_str name);
uint32_t map_weight(bpftrace *b, brz_ctx *ctx, brz_str map);

/* stack_line.c: the parsed text of a stack line. */
typedef struct stack_line {
    brz_str name, offset; /* the offset includes its '+' */
    brz_str address;      /* hex digits; empty: no address */
    brz_str module, file;
    uint32_t line;
    bool inlined, unresolved;
} stack_line;
void stack_line_parse(brz_str text, stack_line *out);
bool stack_line_is(brz_str text);
bool stack_line_is_damaged(brz_str text);
bool stack_line_is_raw(brz_str text);
bool stack_line_is_flat(brz_str text);
uint32_t stack_line_evidence(const stack_line *l);

/* sample.c: collects the parts of a sample and counts it. */
void sample_begin(bpftrace *b);
void sample_root(bpftrace *b, brz_ctx *ctx, brz_str text);
void sample_header(bpftrace *b, brz_ctx *ctx, brz_str text);
void sample_stack(bpftrace *b, brz_ctx *ctx);
void sample_frame(bpftrace *b, brz_ctx *ctx, brz_str line);
brz_rc sample_end(bpftrace *b, brz_ctx *ctx, brz_str map, int64_t value);

/* key.c: keys and values of maps. */
bool map_begins(brz_str line, brz_str *name, brz_str *rest);
void key_items(bpftrace *b, brz_ctx *ctx, brz_str text, bool blanks);
brz_rc value_take(bpftrace *b, brz_ctx *ctx, brz_str text);
void report_lost_entry(bpftrace *b, brz_ctx *ctx, const char *code, brz_str line, brz_str msg);
void report(bpftrace *b, brz_ctx *ctx, const char *code, brz_str msg);
void report_lost(bpftrace *b, brz_ctx *ctx, const char *code, brz_str msg);

/* layout.c: the layout of events. layout_is_damaged() recognises a line that is no header, but a
 * stack line with a damaged byte or a part of one. */
void layout_find(event_layout *l, brz_str text);
bool layout_is_damaged(const event_layout *l, brz_str line);

/* lines.c: what a line is. line_may_be_header() expects one that is neither empty nor indented, nor
 * a stack line. */
bool line_is_noise(brz_str line);
bool line_is_rest_of_key(brz_str line);
bool line_is_scalar_map(brz_str line);
bool line_begins_record(brz_str line, bool plain);
bool line_may_be_header(brz_str line);
size_t key_end(brz_str line);
bool keys_are_plain(brz_str text);

/* text.c: lines of output without -f json. */
brz_rc text_line(bpftrace *b, brz_ctx *ctx, brz_str line);
brz_rc text_end(bpftrace *b, brz_ctx *ctx);

/* json.c: output with -f json. json_take() parses the complete part of [p, end) and returns its
 * end. */
bool json_line_is_map(const char *p, const char *end);
bool json_line_is(const char *p, const char *end);
const char *json_take(bpftrace *b, brz_ctx *ctx, const char *p, const char *end, bool last,
                      brz_rc *rc);

#endif
