/* What the parts of the xctrace collapser share. */
#ifndef BRZ_XCTRACE_H
#define BRZ_XCTRACE_H

#include <brazier/plugin.h>
#include <brazier/text/buffer.h>
#include <brazier/text/frame_cache.h>
#include <brazier/text/integer.h>
#include <brazier/text/stacks.h>
#include <brazier/text/trim.h>

#include <expat.h>

typedef struct xctrace_options {
    bool process, thread, core, state; /* roots of each stack */
    bool frameless, srcline;
    brz_str schema;
} xctrace_options;

/* ---- what ids stand for (ids.c) -------------------------------------------------------------- */

/* The elements that matter. Those up to the last one with a value may have an id. */
typedef enum element_kind {
    ELEMENT_OTHER,
    ELEMENT_FRAME,     /* value: a frame */
    ELEMENT_BACKTRACE, /* value: a backtrace of the pool; tagged ones as well */
    ELEMENT_BINARY,    /* value: a text */
    ELEMENT_PATH,      /* value: a text */
    ELEMENT_SOURCE,    /* value: a place */
    ELEMENT_WEIGHT,    /* value: an amount */
    ELEMENT_CYCLES,    /* value: an amount */
    ELEMENT_PROCESS,   /* value: a frame, as those of the next three */
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
    uint32_t number; /* its id, if that is in `numbered` */
} id_slot;

/* Values by the kind and id of their element, whatever ids look like. */
typedef struct id_table {
    id_slot *all;
    size_t n, cap;
    uint32_t *numbered; /* by id: slot + 1; 0: none. For ids that are small numbers */
    size_t numbered_cap;
    brz_frame_cache slots; /* the others */
    char *padded;          /* room for an id, and what a look-up reads behind it */
    size_t padded_cap;
} id_table;

void ids_init(id_table *t, brz_ctx *ctx);
/* Forgets all ids, for another document; as fast as they were few. */
void ids_forget(id_table *t, brz_ctx *ctx);
/* The slot of an id, made if there is none. */
uint32_t ids_slot(id_table *t, brz_ctx *ctx, element_kind kind, brz_str id);

/* The value of an id that is a number; NO_VALUE: not known, or not as a number. */
static inline uint32_t ids_numbered(const id_table *t, element_kind kind, uint32_t number)
{
    uint32_t there = number < t->numbered_cap ? t->numbered[number] : 0;
    return there != 0 && t->all[there - 1].kind == kind ? t->all[there - 1].value : NO_VALUE;
}

/* ---- backtraces (pool.c) --------------------------------------------------------------------- */

/* The distinct lists of frames that backtraces are. Number 0 is the empty one. */
typedef struct pool_entry {
    size_t start, n; /* in `frames` */
    uint64_t hash;
    int64_t sums[3]; /* by weight: of rows without roots of their own */
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

/* ---- an instance ----------------------------------------------------------------------------- */

/* The attributes that matter; those that are not there have no data. */
typedef struct element_attributes {
    brz_str id, ref, name, fmt, addr, line, inlined;
} element_attributes;

/* True if the text in an element is of use. */
static inline bool element_has_text(element_kind kind)
{
    return kind == ELEMENT_WEIGHT || kind == ELEMENT_CYCLES || kind == ELEMENT_PATH;
}

/* A tag of a row in the usual form, or the text in front of the next one. */
typedef enum usual_type { USUAL_START, USUAL_END, USUAL_EMPTY, USUAL_TEXT } usual_type;

typedef struct usual_token {
    usual_type type;
    element_kind kind;
    brz_str text; /* all of it */
    element_attributes a;
} usual_token;

/* ---- rows that differ in digits alone (alike.c) ---------------------------------------------- */

#define ALIKE_ROWS   4u  /* that are remembered */
#define ALIKE_PIECES 48u /* of a row */
#define ALIKE_TEXT   32u /* bytes of a piece */

/* Digits behind a piece: none, any, or a reference that is looked up. */
typedef enum alike_hole { ALIKE_NONE, ALIKE_ANY, ALIKE_REF } alike_hole;

typedef struct alike_piece {
    char text[ALIKE_TEXT];
    unsigned char mask[ALIKE_TEXT]; /* 0xff where the text is */
    uint32_t len;
    alike_hole hole;
    element_kind kind; /* of the reference */
} alike_piece;

typedef struct alike_row {
    alike_piece pieces[ALIKE_PIECES];
    size_t n;       /* 0: no row */
    size_t longest; /* bytes that a row may have */
} alike_row;

typedef struct alike {
    alike_row rows[ALIKE_ROWS];
    size_t next; /* is replaced next */
} alike;

/* Elements within each other; exports have less than ten. */
#define DEPTH_MAX 256u

typedef struct open_element {
    element_kind kind;
    uint32_t slot;  /* of its id, or NO_SLOT */
    uint32_t value; /* NO_VALUE: not known, or not yet */
    bool is_ref;
} open_element;

typedef struct xctrace_place {
    brz_str file;
    uint32_t line;
} xctrace_place;

/* A frame that is being read. */
typedef struct frame_draft {
    brz_text name;
    uint32_t binary; /* a text, or NO_VALUE */
    uint32_t place;  /* or NO_VALUE */
    bool inlined;
} frame_draft;

/* A row that is being read. */
typedef struct table_row {
    uint32_t backtrace, amount; /* or NO_VALUE */
    uint32_t labels[LABELS];    /* frames, or NO_VALUE */
    element_kind amount_kind;
    bool bad; /* something in it was reported */
} table_row;

typedef struct xctrace {
    const xctrace_options *options;
    brz_ctx *ctx;
    XML_Parser parser;
    brz_rc rc;           /* what the host answered */
    size_t fed_ahead;    /* of the next chunk: it begins with a line, of which so much is done */
    const uint8_t *data; /* being fed */
    size_t len;
    int64_t base;   /* the parser's index of data[0] */
    brz_str here;   /* the tag that is being read without the parser */
    bool row_ended; /* the parser is at the end of a row, and in no token */
    usual_token *tokens;
    size_t n_tokens, tokens_cap;
    alike alike;
    bool refused; /* the parser was stopped, and it was said why */
    bool lost;    /* broken XML: the parser starts anew at the next row */

    uint32_t valued_kinds; /* bits */
    open_element open[DEPTH_MAX];
    size_t depth;
    frame_draft draft;
    table_row row;
    brz_text content, schema, wanted_schema, scratch;
    bool any_schema; /* none has been wanted or met */
    brz_frame *frames;
    size_t n_frames, frames_cap;
    xctrace_place source; /* being read */

    id_table ids;
    pool pool;
    brz_stacks stacks;
    brz_str *texts;
    size_t n_texts, texts_cap;
    xctrace_place *places;
    size_t n_places, places_cap;
    int64_t *amounts;
    size_t n_amounts, amounts_cap;
    bool by_row;         /* each row is counted by itself, not summed up by its backtrace */
    uint32_t columns[2]; /* of time and cycles; NO_VALUE: not declared */
    uint64_t n_frameless, n_other_rows;
} xctrace;

/* report.c: a report about the tag that is being read. */
void report_here(xctrace *x, const char *code, brz_str msg);
void report_left_out(xctrace *x);

/* elements.c: what elements mean. Whoever reads them sees to it that they nest, at most DEPTH_MAX
 * deep. */
void elements_init(xctrace *x);
void elements_forget(xctrace *x); /* ids mean nothing from here on */
element_kind element_kind_of(brz_str name);
/* Where an attribute's value is to be put; NULL: nowhere. */
brz_str *element_attribute(element_attributes *a, brz_str name);
/* True if its attributes are of use; false: `element_start` does not look at them. */
bool element_matters(const xctrace *x, element_kind kind);
void element_start(xctrace *x, element_kind kind, const element_attributes *a);
void element_text(xctrace *x, brz_str s);
void element_end(xctrace *x);

/* rows.c: what a row counts. */
void row_begin(xctrace *x);
/* Hands it the value of an element in it. */
void row_give(table_row *r, element_kind kind, uint32_t value);
void row_end(xctrace *x);
/* Counts what backtraces have summed up. */
brz_rc rows_finish(xctrace *x);
/* True if a label is asked for, 0 being the process. */
bool label_is_wanted(const xctrace *x, uint32_t label);

/* usual.c: reads a piece that is a row in the usual form, without expat. False, and nothing was
 * done, if it is something else. */
void usual_init(xctrace *x);
bool usual_row(xctrace *x, const uint8_t *at, const uint8_t *end);
/* True if elements are where rows are expected. */
bool is_among_rows(const xctrace *x);

/* alike.c */
/* Remembers what a row is made of that usual_row took, if others may be like it. */
void alike_learn(xctrace *x, brz_str row);
/* Reads rows that are like one that was learnt, each with more than `spare` bytes behind it, and
 * gives where the first other one begins. */
const uint8_t *alike_rows(xctrace *x, const uint8_t *at, const uint8_t *end, size_t spare);

/* feed.c: bytes into elements, a row at a time, and on behind broken ones. */
void feed_init(xctrace *x);
/* Feeds what ends in a row, if the rest of its line is there to be shown, and gives how much that
 * was. */
size_t feed_rows(xctrace *x, const uint8_t *data, size_t len, bool last);
/* Feeds what stands behind the last row. */
void feed_rest(xctrace *x, const uint8_t *data, size_t len);

#endif
