/* SPDX-License-Identifier: MIT */
/* A format: the expressions of a component's options, ready to match.
 *
 * Each shape of formats has a table of the options that contain expressions. The same table serves
 * the check of a configuration, the parser, and the explanation of a text line by line.
 */
#ifndef TEXT_FORMAT_H
#define TEXT_FORMAT_H

#include <brazier/draft/text_format.h>
#include "expression.h"
#include "options.h"

/* The purpose of an expression. */
typedef enum text_slot {
    SLOT_IGNORE,
    SLOT_HEADER,
    SLOT_SECTION,
    SLOT_BEGIN,
    SLOT_END,
    SLOT_SAMPLE,
    SLOT_CALL,
    SLOT_FRAME,
    SLOT_DETAIL,
    SLOT_FIELD,
    SLOT_TOTAL,
    SLOT_STOP,
    SLOT_PARTIAL,
    SLOT_ORPHAN,   /* a row that begins a tree whose own beginning is missing */
    SLOT_LEFT_OUT, /* frames */
    N_SLOTS
} text_slot;

/* An option that contains an expression, or a list of them. */
typedef struct text_source {
    text_slot slot;
    const char *option;
    bool is_list;
    size_t offset;        /* of the member in the configuration */
    const uint8_t *needs; /* groups of which the expression needs one, up to GROUP_LABEL; or NULL */
} text_source;

/* A shape of formats: its options. */
typedef struct text_shape {
    const text_source *sources;
    size_t n_sources;
    bool is_weighted;    /* samples have a weight, which options describe */
    bool begins_records; /* a line with which a sample begins is a record without other lines */
} text_shape;

/* A row of a table of sources: the option `option_` is the member `member_` of `struct_`. */
#define TEXT_SOURCE(slot_, struct_, member_, option_, is_list_, needs_)                            \
    {                                                                                              \
        (slot_), (option_), (is_list_), offsetof(struct_, member_), (needs_)                       \
    }

/* Groups of which a frame needs one. */
extern const uint8_t text_frame_groups[];

/* The sources of all shapes, whose configuration begins with text_options. */
#define TEXT_COMMON_SOURCES                                                                        \
    TEXT_SOURCE(SLOT_IGNORE, text_options, ignore, "ignore", true, NULL),                          \
        TEXT_SOURCE(SLOT_HEADER, text_options, header, "header", false, NULL),                     \
        TEXT_SOURCE(SLOT_FRAME, text_options, frame, "frame", false, text_frame_groups)

/* The expressions of an option. */
typedef struct text_expressions {
    const char *option;
    expression *items;
    size_t n;
} text_expressions;

/* A match. */
typedef struct text_match {
    const expression *expression; /* NULL: none */
    brz_str line;
} text_match;

typedef struct text_format {
    const text_options *options;
    expression_memory memory;
    matcher matcher;
    text_expressions slots[N_SLOTS];
    brz_ctx *ctx;    /* receives failures of matches; NULL: nothing does */
    text_match last; /* the match that the matcher still holds, if it has an expression */
    bool failed;     /* a match hit a limit */
    bool has_weight; /* an expression has the group with the weight */
    bool has_unit;   /* an expression has the group with a unit */
} text_format;

/* A fault of an option. */
typedef struct text_fault {
    const char *option;
    uint64_t item;
    char what[EXPRESSION_FAULT];
} text_fault;

/* Compiles the expressions of a configuration. With `ctx`, everything is memory of the instance.
 * Returns false and describes the first fault. */
bool text_format_init(text_format *f, const text_shape *shape, const void *cfg, brz_ctx *ctx,
                      bool machine, text_fault *fault);
void text_format_finish(text_format *f);

/* Implements brz_component.validate. */
void text_format_validate(const text_shape *shape, const void *cfg, brz_option_faults *faults);

/* Searches a line with the expressions of a slot, unless the last search found it with one of them.
 * Reports a search that fails, and ends the run. */
bool text_format_find(text_format *f, text_slot slot, brz_str line, text_match *match);

/* A search that failed. */
typedef struct text_failure {
    const expression *expression; /* NULL: none */
    text_slot slot;
    int error;
} text_failure;

/* Does so, with the caller's matcher and without reports, for several threads. Returns the
 * expression, or NULL. Does nothing after a search that failed. */
const expression *text_format_test(const text_format *f, text_slot slot, const matcher *m,
                                   brz_str line, text_failure *failure);

/* Reports a search that failed, and ends the run. */
void text_format_fail(text_format *f, const text_failure *failure, brz_str line);

/* Forgets the last match, because the matcher is used for something else or a line follows, whose
 * text may be at the same address. */
static inline void text_format_forget(text_format *f)
{
    f->last.expression = NULL;
}

/* Returns whether an expression of the slot has a group. */
bool text_format_has(const text_format *f, text_slot slot, text_group means);

/* Returns whether a match is one of the slot. */
static inline bool text_match_is_of(const text_match *match, const text_format *f, text_slot slot)
{
    const text_expressions *of = &f->slots[slot];
    return match->expression != NULL && of->n > 0 && match->expression >= of->items &&
           match->expression < of->items + of->n;
}

/* Returns whether an option has an expression. */
static inline bool text_format_uses(const text_format *f, text_slot slot)
{
    return f->slots[slot].n > 0;
}

#endif
