/* SPDX-License-Identifier: MIT */
/* The state of a reader of exports, and the functions by which its parts use each other. */
#ifndef XCTRACE_READER_H
#define XCTRACE_READER_H

#include <brazier/plugin.h>
#include <brazier/text/buffer.h>
#include <brazier/text/frame_cache.h>
#include <brazier/text/integer.h>
#include <brazier/text/stacks.h>
#include <brazier/text/trim.h>

#include <expat.h>

typedef struct xctrace_options {
    bool process, thread, core, state; /* roots added to each stack */
    bool frameless, srcline;
    brz_str schema;
} xctrace_options;

/* ---- ids (ids.c) ----------------------------------------------------------------------------- */

/* Kinds of elements. Those up to the last one with a value may have an id. */
typedef enum element_kind {
    ELEMENT_OTHER,
    ELEMENT_FRAME,     /* value: a frame */
    ELEMENT_BACKTRACE, /* value: a backtrace of the pool; also for tagged ones */
    ELEMENT_BINARY,    /* value: a text */
    ELEMENT_PATH,      /* value: a text */
    ELEMENT_SOURCE,    /* value: a place */
    ELEMENT_WEIGHT,    /* value: an amount */
    ELEMENT_CYCLES,    /* value: an amount */
    ELEMENT_PROCESS,   /* value: a frame, as for the next three */
    ELEMENT_THREAD,
    ELEMENT_CORE,
    ELEMENT_STATE,
    ELEMENT_ROW,
    ELEMENT_NODE,
    ELEMENT_SCHEMA,
} element_kind;

#define LABELS   4u /* process, thread, core, state */
#define NO_VALUE UINT32_MAX
#define NO_SLOT  UINT32_MAX

typedef struct id_slot {
    uint32_t value; /* NO_VALUE: not known yet */
    uint32_t kind;
    uint32_t number; /* its id, if stored in `numbered` */
} id_slot;

/* Values by the kind and id of their element, for any form of id. */
typedef struct id_table {
    id_slot *all;
    size_t n, cap;
    uint32_t *numbered; /* for ids that are small numbers, indexed by id: slot + 1; 0: none */
    size_t numbered_cap;
    brz_frame_cache slots; /* slots of other ids */
    char *padded;          /* buffer for an id with padding for look-ups */
    size_t padded_cap;
} id_table;

void ids_init(id_table *t, brz_ctx *ctx);
/* Removes all ids before the next document; fast if there are few. */
void ids_forget(id_table *t, brz_ctx *ctx);
/* Returns the slot of an id, adding it if it is new. */
uint32_t ids_slot(id_table *t, brz_ctx *ctx, element_kind kind, brz_str id);

/* Returns the value of a numeric id; NO_VALUE if it is unknown or not stored as a number. */
static inline uint32_t ids_numbered(const id_table *t, element_kind kind, uint32_t number)
{
    uint32_t there = number < t->numbered_cap ? t->numbered[number] : 0;
    return there != 0 && t->all[there - 1].kind == kind ? t->all[there - 1].value : NO_VALUE;
}

/* ---- backtraces (pool.c) --------------------------------------------------------------------- */

/* A distinct list of frames. Entry 0 is the empty one. */
typedef struct pool_entry {
    size_t start, n; /* range in `frames` */
    uint64_t hash;
    int64_t sums[3]; /* by weight: sums of rows without roots of their own */
} pool_entry;

typedef struct pool {
    brz_frame *frames;
    size_t n_frames, frames_cap;
    pool_entry *entries;
    size_t n, cap;
    uint32_t *slots; /* entry + 1; 0: free */
    size_t n_slots;
    brz_hash_keys keys;
} pool;

void pool_init(pool *p, brz_ctx *ctx);
uint32_t pool_intern(pool *p, brz_ctx *ctx, const brz_frame *frames, size_t n);

/* ---- instance -------------------------------------------------------------------------------- */

/* Values of the relevant attributes; missing ones have no data. */
typedef struct element_attributes {
    brz_str id, ref, name, fmt, addr, line, inlined;
} element_attributes;

/* Returns whether the text in an element is needed. */
static inline bool element_has_text(element_kind kind)
{
    return kind == ELEMENT_WEIGHT || kind == ELEMENT_CYCLES || kind == ELEMENT_PATH;
}

/* A token of a row: a tag, or the text before the next tag. */
typedef enum token_type { TOKEN_START, TOKEN_END, TOKEN_EMPTY, TOKEN_TEXT } token_type;

typedef struct row_token {
    token_type type;
    element_kind kind;
    brz_str text; /* the whole token */
    element_attributes a;
} row_token;

/* ---- row templates (row_template.c)
 * ----------------------------------------------------------------- */

#define N_TEMPLATES     4u  /* number of templates */
#define TEMPLATE_PIECES 48u /* maximum number of pieces of a row */
#define TEMPLATE_TEXT   32u /* bytes of a piece */

/* The digits after a piece: none, any, or a reference that is looked up. */
typedef enum template_hole { HOLE_NONE, HOLE_ANY, HOLE_REF } template_hole;

typedef struct template_piece {
    char text[TEMPLATE_TEXT];
    unsigned char mask[TEMPLATE_TEXT]; /* 0xff for each byte of the text */
    uint32_t len;
    template_hole hole;
    element_kind kind; /* of the referenced element */
} template_piece;

typedef struct row_template {
    template_piece pieces[TEMPLATE_PIECES];
    size_t n;       /* 0: unused */
    size_t longest; /* maximum length of a matching row */
} row_template;

typedef struct row_templates {
    row_template rows[N_TEMPLATES];
    size_t next; /* the next one to be replaced */
} row_templates;

/* Maximum nesting of elements; exports have less than ten levels. */
#define DEPTH_MAX 256u

typedef struct open_element {
    element_kind kind;
    uint32_t slot;  /* slot of its id, or NO_SLOT */
    uint32_t value; /* NO_VALUE: unknown, or not known yet */
    bool is_ref;
} open_element;

typedef struct xctrace_place {
    brz_str file;
    uint32_t line;
} xctrace_place;

/* The frame being read. */
typedef struct frame_draft {
    brz_text name;
    uint32_t binary; /* a text, or NO_VALUE */
    uint32_t place;  /* a place, or NO_VALUE */
    bool inlined;
} frame_draft;

/* The row being read. */
typedef struct table_row {
    uint32_t backtrace, amount; /* NO_VALUE: none */
    uint32_t labels[LABELS];    /* frames; NO_VALUE: none */
    element_kind amount_kind;
    bool bad; /* a problem in it was reported */
} table_row;

typedef struct xctrace {
    const xctrace_options *options;
    brz_ctx *ctx;
    XML_Parser parser;
    brz_rc rc;           /* the host's result */
    size_t fed_ahead;    /* bytes of the next chunk's first line that are already done */
    const uint8_t *data; /* bytes being fed */
    size_t len;
    int64_t base;   /* the parser's index of data[0] */
    brz_str here;   /* the tag being read without the parser */
    bool row_ended; /* the parser is at the end of a row, outside of any token */
    row_token *tokens;
    size_t n_tokens, tokens_cap;
    row_templates templates;
    bool refused;      /* the parser was stopped and the reason was reported */
    bool is_nested;    /* the parser was stopped at a row or node within a row */
    int64_t nested_at; /* the parser's index of that */
    bool lost;         /* broken XML: the parser restarts at the next row */

    uint32_t valued_kinds; /* bit set of kinds */
    open_element open[DEPTH_MAX];
    size_t depth;
    frame_draft draft;
    table_row row;
    brz_text content, schema, wanted_schema, scratch;
    bool any_schema; /* no schema was requested or seen */
    brz_frame *frames;
    size_t n_frames, frames_cap;
    xctrace_place source; /* source location being read */

    id_table ids;
    pool pool;
    brz_stacks stacks;
    brz_str *texts;
    size_t n_texts, texts_cap;
    xctrace_place *places;
    size_t n_places, places_cap;
    int64_t *amounts;
    size_t n_amounts, amounts_cap;
    bool by_row;         /* counts rows individually instead of summing them up by backtrace */
    uint32_t columns[2]; /* columns of time and cycles; NO_VALUE: not declared */
    uint64_t n_frameless, n_other_rows;
} xctrace;

/* report.c: reports a warning at the current tag. */
void report_here(xctrace *x, const char *code, brz_str msg);
/* Does the same for a problem because of which `rows` rows are left out. */
void report_rows_here(xctrace *x, const char *code, brz_str msg, uint64_t rows);
void report_left_out(xctrace *x);

/* elements.c: interpretation of elements. The caller makes sure that they nest, at most DEPTH_MAX
 * deep. */
void elements_init(xctrace *x);
void elements_forget(xctrace *x); /* invalidates all ids */
element_kind element_kind_of(brz_str name);
/* Returns the member for an attribute's value, or NULL if it is not needed. */
brz_str *element_attribute(element_attributes *a, brz_str name);
/* Returns whether the attributes are needed; otherwise `element_start` ignores them. */
bool element_matters(const xctrace *x, element_kind kind);
void element_start(xctrace *x, element_kind kind, const element_attributes *a);
void element_text(xctrace *x, brz_str s);
void element_end(xctrace *x);

/* rows.c: counting of rows. */
void row_begin(xctrace *x);
/* Passes the value of an element to its row. */
void row_give(table_row *r, element_kind kind, uint32_t value);
void row_end(xctrace *x);
/* Returns whether the rows of the current table are wanted. */
bool is_wanted_table(const xctrace *x);
/* Makes the current table the one whose rows are counted, unless one is chosen. */
void rows_choose_table(xctrace *x);
/* Counts the sums of the backtraces. */
brz_rc rows_finish(xctrace *x);
/* Returns whether a label is requested; 0 is the process. */
bool label_is_wanted(const xctrace *x, uint32_t label);

/* fast_path.c: Reads a piece that is a row in the usual form, without expat. Returns false and
 * changes nothing if it is something else. */
void fast_path_init(xctrace *x);
bool fast_path_row(xctrace *x, const uint8_t *at, const uint8_t *end);
/* Returns whether the current element is one that contains rows. */
bool is_among_rows(const xctrace *x);

/* row_template.c */
/* Learns a template from a row that fast_path_row has read, if similar rows are likely. */
void row_templates_learn(xctrace *x, brz_str row);
/* Reads rows by templates, each with more than `spare` bytes after it. Returns the position of the
 * first row that does not match. */
const uint8_t *row_templates_read(xctrace *x, const uint8_t *at, const uint8_t *end, size_t spare);

/* feed.c: converts bytes to elements row by row, and continues after broken rows. */
void feed_init(xctrace *x);
/* Feeds complete rows, provided that the rest of their line is available for reports. Returns the
 * number of bytes fed. */
size_t feed_rows(xctrace *x, const uint8_t *data, size_t len, bool last);
/* Feeds the text after the last row. */
void feed_rest(xctrace *x, const uint8_t *data, size_t len);

#endif
