/* SPDX-License-Identifier: MIT */
/* Makes frames and stacks of the callstacks in tables. */
#ifndef PERFETTO_FRAMES_H
#define PERFETTO_FRAMES_H

#include <brazier/text/stacks.h>

#include "../../common/by_number.h"
#include "sequences.h"
#include "symbols.h"

/* The frames of an entry: those of inlined calls come last. */
typedef struct code {
    const brz_frame *ids; /* root first */
    size_t n;
    uint32_t identity; /* equal for equal contents */
} code;

/* A stack of a callstack. Stacks of different addresses may have the same id of the host, and have
 * different identities. */
typedef struct found_stack {
    brz_stack id;
    uint32_t identity;
} found_stack;

typedef struct frames {
    brz_ctx *ctx;
    const sequences *sequences;
    symbols *symbols;
    brz_stacks stacks; /* finds equal stacks */
    code *codes;
    size_t n_codes, codes_cap;
    found_stack *made; /* stacks of callstacks */
    size_t n_made, made_cap;
    by_number codes_by_number, made_by_number; /* indices of these lists */
    brz_frame_list list;
    brz_text module, build_id, name;
    brz_frame_cache identities; /* of frames and stacks */
    uint32_t n_identities;
    brz_text frame_content, stack_content; /* of those being made */
    uint64_t budget;
    bool names_addresses, is_spent;
    brz_frame unknown;
} frames;

/* Initialises it for an input of `len` bytes. */
void frames_init(frames *f, brz_ctx *ctx, const sequences *s, symbols *names, size_t len,
                 bool names_addresses);

/* Takes bytes that are read again, or that a stack has, off what an input of this length may have.
 * Returns false, after a report, if there is too little. */
bool frames_spend(frames *f, uint64_t amount);

typedef enum stack_result { STACK_FOUND, STACK_MISSING, STACK_FAILED } stack_result;

/* Finds the stack of the callstack with a number in the tables of a generation. STACK_MISSING: the
 * tables do not have it. STACK_FAILED: the stacks are too large, which was reported. */
stack_result frames_stack(frames *f, uint32_t generation, uint64_t number, found_stack *stack);

/* Makes a stack of a message that contains its frames. */
stack_result frames_inline_stack(frames *f, brz_bytes message, brz_stack *stack);

/* Returns the stack with a single frame of unknown code. */
brz_stack frames_unknown_stack(frames *f);

#endif
