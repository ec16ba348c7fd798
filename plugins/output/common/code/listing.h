/* SPDX-License-Identifier: MIT */
/* The rows of an annotated function: its instructions, or without them the places at which stacks
 * end, with their weights and source lines. */
#ifndef OUTPUT_COMMON_CODE_LISTING_H
#define OUTPUT_COMMON_CODE_LISTING_H

#include "disassembler.h"
#include "hot_functions.h"

typedef struct listing_row {
    uint64_t shown; /* address as its file has it; 0: unknown */
    brz_str mnemonic, operands;
    int64_t self;
    const int64_t *selves; /* by column; NULL if those of the function are not collected */
    brz_str file;          /* of the source, where stacks end; empty: unknown */
    uint32_t line;         /* 0: unknown */
    bool is_target;        /* an instruction of the function jumps to it */
    bool is_jump;          /* it jumps to an instruction of the function: */
    uint64_t target;       /* to this address */
    uint64_t skipped;      /* number of instructions that are left out before it */
} listing_row;

/* Returns the number of blanks between the mnemonic and the operands of an instruction. */
static inline uint32_t listing_gap(const listing_row *at)
{
    if (at->operands.len == 0)
        return 0;
    return at->mnemonic.len < 7 ? 8 - (uint32_t)at->mnemonic.len : 1;
}

typedef struct listing_options {
    code_syntax syntax;
    int64_t around; /* instructions shown around those with a weight; negative: all */
} listing_options;

/* Receives the rows in order. Texts of a row are valid during the call. */
typedef void listing_fn(void *context, const listing_row *row);

/* Passes on the rows of a function. Returns NULL, or why addresses have no instructions. */
const char *listing_walk(brz_output_ctx *ctx, const hot_function *f, listing_options options,
                         listing_fn *take, void *context);

#endif
