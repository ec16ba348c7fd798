/* SPDX-License-Identifier: MIT */
/* The state of a reader of what bcc's tools print, and the functions by which its parts use each
 * other. */
#ifndef BCC_READER_H
#define BCC_READER_H

#include <brazier/collapser.h>
#include <brazier/text.h>

typedef struct bcc_options {
    bool delimiters, kernel, offsets, pid, waker;
} bcc_options;

/* Number of roles of processes: "target:" and "waker:". */
#define BCC_ROLES 2

/* Properties of the input, detected in its first megabyte. */
typedef struct bcc_prelude {
    bool folded;               /* the input has only folded lines */
    bool microseconds;         /* the tool measures times */
    size_t count_column;       /* the indentation of most counts in blocks; 0: unknown */
    bool has_roles[BCC_ROLES]; /* almost all blocks have processes of these */
} bcc_prelude;

/* ---- lines ---------------------------------------------------------------------------------- */

/* Type of a line, or of an item of a folded line. */
enum line_sort {
    LINE_FRAME,
    LINE_KERNEL_DELIMITER, /* separates user and kernel stack */
    LINE_WAKER_DELIMITER,  /* separates the stack that slept and the stack that woke it */
    LINE_PROCESS,
    LINE_COUNT,
};

/* A parsed line of a block. */
typedef struct block_line {
    enum line_sort sort;
    brz_str name, pid; /* name and process id */
    int64_t count;
} block_line;

/* A parsed stack line. */
typedef struct frame_text {
    brz_str address, name, offset, module;
} frame_text;

/* ---- instance ------------------------------------------------------------------------------- */

/* The part of the stack that a frame belongs to, which determines its kind. */
enum part { PART_UNKNOWN, PART_USER, PART_KERNEL, PART_WAKER, N_PARTS };

typedef struct symbol {
    brz_str name, module;
    enum part by_itself; /* the part according to address or annotation */
    brz_frame frames[N_PARTS];
} symbol;

/* A frame, process or delimiter of the sample being read. */
typedef struct item {
    enum line_sort sort;
    uint32_t id; /* number of the symbol, or frame of the process */
} item;

typedef struct bcc {
    const bcc_options *options;
    const bcc_prelude *prelude;
    brz_lines lines;
    brz_stacks stacks; /* root first */
    brz_frame_cache cache;
    symbol *symbols;
    size_t n_symbols, symbols_cap;
    brz_text scratch;

    item *items; /* items of the sample being read, in the order printed */
    size_t n_items, items_cap;
    size_t indent; /* indentation of the block's first stack line; SIZE_MAX: none yet */
    bool has_process, has_waker;
    bool has_roles[BCC_ROLES]; /* lines of these are in the block */
    bool is_uneven;            /* the frames of the block have several indentations */
    bool after_word;           /* the line above is one word that is not indented */
    bool needs_count;          /* the block has its last line but the count */
    size_t n_blanks;           /* length of the line before in a block, if it has blanks alone */
    uint64_t n_uncounted;      /* blocks without a count */
} bcc;

/* lines.c: parsing of lines. */
size_t line_indent(brz_str line);
bool line_is_number(brz_str s);
bool line_is_process(brz_str s);  /* "name [pid]" */
bool line_has_process(brz_str s); /* "name [pid]" or "name (pid)" */
void block_line_parse(brz_str trimmed, bool deeper, bool may_be_process, block_line *out);
void frame_text_parse(brz_str trimmed, frame_text *out);
bool folded_line_parse(brz_str line, brz_str *stack, int64_t *count);

/* symbols.c: conversion of texts to frames. */
void symbols_init(bcc *b, brz_ctx *ctx);
uint32_t symbol_of(bcc *b, brz_ctx *ctx, brz_str line);
brz_frame symbol_frame(bcc *b, brz_ctx *ctx, uint32_t number, enum part part);
brz_frame process_frame(bcc *b, brz_ctx *ctx, brz_str name, brz_str pid);

/* sample.c: the sample being read, and its end. */
void sample_begin(bcc *b);
void sample_item(bcc *b, brz_ctx *ctx, enum line_sort sort, uint32_t id);
brz_rc sample_end(bcc *b, brz_ctx *ctx, bool leaf_first, int64_t count);

#endif
