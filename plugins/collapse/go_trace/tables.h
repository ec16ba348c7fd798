/* SPDX-License-Identifier: MIT */
/* Knows the texts and stacks of a part of the trace, which events refer to by numbers. */
#ifndef COLLAPSE_GO_TRACE_TABLES_H
#define COLLAPSE_GO_TRACE_TABLES_H

#include <brazier/binary.h>
#include <brazier/text/buffer.h>
#include <brazier/text/frame_cache.h>

#include "../../common/by_number.h"
#include "../../common/off_cpu/stack_store.h"
#include "../../common/pair_map.h"

/* Maximum number of frames of a stack; others are damaged. Go writes at most 128. */
#define GO_FRAMES_MAX 1000

/* Stands for a reason that has not been looked up. */
#define GO_UNKNOWN_REASON UINT32_MAX

/* A text in the input. */
typedef struct raw_text {
    brz_str text;
    uint32_t reason; /* its index as a reason to wait, which a caller sets, or GO_UNKNOWN_REASON */
} raw_text;

/* A stack in the input. */
typedef struct raw_stack {
    brz_bytes frames; /* the leaf first */
    uint32_t stored;  /* number in the store; NO_STACK: not made yet */
    bool has_root;    /* `root` has been looked up */
    brz_str root;     /* name of the outermost function */
} raw_stack;

typedef struct tables {
    brz_ctx *ctx;
    bool has_names; /* frames have a function, file and line; otherwise an address alone */
    bool names_addresses;
    pair_map text_ids, stack_ids; /* numbers to indices */
    raw_text *texts;
    size_t n_texts, texts_cap;
    raw_stack *stacks;
    size_t n_stacks, stacks_cap;
    uint32_t part;    /* number of this part, from 1 */
    by_number stored; /* by the number of a stack: that in the store */
    brz_frame_cache cache;
    brz_text key, scratch;
    brz_frame_list path;
    stack_store store; /* of all parts */
    uint32_t unknown;  /* the stack of a frame [unknown] */
    uint64_t missing;  /* stacks that events refer to and that are not there */
} tables;

void tables_init(tables *t, brz_ctx *ctx, bool has_names, bool names_addresses);

/* Forgets the texts and stacks, whose numbers another part uses again. */
void tables_clear(tables *t);

/* Adds a text or a stack. Of two with the same number the first one counts. */
void tables_add_text(tables *t, uint64_t number, brz_str text);
void tables_add_stack(tables *t, uint64_t number, brz_bytes frames);

/* Returns the text with this number; an empty one if the table lacks it. */
brz_str tables_text(const tables *t, uint64_t number);

/* Returns a text, or NULL. It is valid until another one is added. */
raw_text *tables_find_text(const tables *t, uint64_t number);

/* Returns the number in the store of a stack that may be new. */
uint32_t tables_find_stack(tables *t, uint64_t number);

/* Returns the number of a stack in the store. Stack 0, and one that is missing, is [unknown]. */
static inline uint32_t tables_stack(tables *t, uint64_t number)
{
    uint32_t stored;
    if (by_number_find(&t->stored, t->part, number, &stored))
        return stored;
    return number == 0 ? t->unknown : tables_find_stack(t, number);
}

/* Returns the name of the outermost function of a stack, or an empty text. */
brz_str tables_root(tables *t, uint64_t number);

#endif
