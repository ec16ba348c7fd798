/* What the parts of the bpftrace collapser share: options, symbols, and an instance. */
#ifndef BPFTRACE_BPFTRACE_H
#define BPFTRACE_BPFTRACE_H

#include <brazier/collapser.h>
#include <brazier/text.h>

#include <string.h>

enum { ROOTS_ALL, ROOTS_NAMES, ROOTS_NONE };
enum { STACKS_AUTO, STACKS_KERNEL, STACKS_USER, STACKS_KERNEL_USER, STACKS_USER_KERNEL };

typedef struct bpftrace_options {
    bool addrs, frameless, inlined, kernel, offsets;
    int32_t roots, stacks;
} bpftrace_options;

/* What the first megabyte tells. */
typedef struct bpftrace_prelude {
    bool json;
    bool plain; /* stack lines in keys may be any text: neither indented nor with an offset */
} bpftrace_prelude;

/* ---- symbols -------------------------------------------------------------------------------- */

/* Which side of the system call a stack is on. */
enum { SIDE_UNKNOWN, SIDE_USER, SIDE_KERNEL, N_SIDES };

/* What a stack line says about its side; all lines of a stack are on the same. */
enum { KERNEL_ADDRESS = 1, USER_ADDRESS = 2, KERNEL_NAME = 4, USER_NAME = 8 };

/* What a stack line stands for; its frame depends on the side its stack turns out to be on. */
typedef struct symbol {
    brz_str name, module, file;
    uint32_t line;
    uint32_t evidence;
    bool inlined;
    brz_frame frames[N_SIDES]; /* BRZ_NO_FRAME: not made yet */
} symbol;

/* A stack of the sample being read: some of its symbols, leaf first. */
typedef struct stack {
    size_t first, n;
    uint32_t evidence;
    uint32_t side;
} stack;

enum reader_state {
    OUTSIDE,  /* between map entries and events */
    IN_KEY,   /* behind "@name[", its "]: value" yet to come */
    IN_EVENT, /* at least one stack line was printed outside of a map */
};

enum json_state { AT_LINE, IN_ENTRIES, IN_REST };

typedef struct bpftrace {
    const bpftrace_options *options;
    const bpftrace_prelude *prelude;
    brz_lines lines;
    brz_stacks stacks;     /* root first */
    brz_frame_cache cache; /* see symbols.c */
    symbol *symbols;
    size_t n_symbols, symbols_cap;
    brz_text scratch;

    /* the sample being read */
    enum reader_state state;
    uint32_t *found; /* symbols of all its stacks, as printed */
    size_t n_found, found_cap;
    stack *parts;
    size_t n_parts, parts_cap;
    brz_frame *roots;
    size_t n_roots, roots_cap;
    brz_text map;    /* the name of its map, without '@' */
    brz_text header; /* the line in front of an event's stacks */
    bool headed;     /* there is one */
    bool gap;        /* an empty line since the event's last stack line */

    enum json_state json;
    brz_text decoded; /* a key, or what printf printed */
    brz_text partial; /* of that, a line that has not ended yet */

    brz_str where; /* the line being read, for reports; unless in JSON */
    brz_str entry; /* the first line of the map entry being read; unless in JSON */
    uint64_t n_frameless, n_other_values;
} bpftrace;

/* symbols.c: from stack lines to frames. */
void symbols_init(bpftrace *b, brz_ctx *ctx);
uint32_t symbol_of(bpftrace *b, brz_ctx *ctx, brz_str line);
brz_frame symbol_frame(bpftrace *b, brz_ctx *ctx, uint32_t number, uint32_t side);
brz_frame root_frame(bpftrace *b, brz_ctx *ctx, brz_str name);
uint32_t map_weight(bpftrace *b, brz_ctx *ctx, brz_str map);

/* stack_line.c: the text of a stack line. */
typedef struct stack_line {
    brz_str name, offset; /* the offset with its '+' */
    brz_str address;      /* hex digits; empty: there is none */
    brz_str module, file;
    uint32_t line;
    bool inlined, unresolved;
} stack_line;
void stack_line_parse(brz_str text, stack_line *out);
bool stack_line_is(brz_str text);
bool stack_line_is_raw(brz_str text);
bool stack_line_is_flat(brz_str text);
uint32_t stack_line_evidence(const stack_line *l);

/* sample.c: what is read of a sample, and its end. */
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
void report(bpftrace *b, brz_ctx *ctx, const char *code, brz_str msg);

/* text.c: lines as bpftrace prints them without -f json. */
bool line_begins_record(brz_str line, bool plain);
bool keys_are_plain(brz_str text);
brz_rc text_line(bpftrace *b, brz_ctx *ctx, brz_str line);
brz_rc text_end(bpftrace *b, brz_ctx *ctx);

/* json.c: -f json. Reads [p, end) as far as it is complete and returns where it stopped. */
bool json_line_is_map(const char *p, const char *end);
bool json_line_is(const char *p, const char *end);
const char *json_take(bpftrace *b, brz_ctx *ctx, const char *p, const char *end, bool last,
                      brz_rc *rc);

#endif
