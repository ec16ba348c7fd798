/* SPDX-License-Identifier: MIT */
/* Finds the frames of locations and stacks.
 *
 * A location is an address; its lines are the functions inlined there, innermost first, and the one
 * that contains them.
 */
#ifndef OTLP_FRAMES_H
#define OTLP_FRAMES_H

#include <brazier/symbol.h>
#include <brazier/text/buffer.h>
#include <brazier/text/stacks.h>

#include "attributes.h"

typedef struct location_frames {
    const brz_frame *frames; /* leaf first; NULL: not read yet */
    size_t n;
} location_frames;

#define NO_STACK UINT32_MAX

/* A mapping: a program or library in memory. */
typedef struct mapping {
    brz_str file, build_id;
    bool is_read;
} mapping;

typedef struct function {
    brz_str name, system_name, file;
    uint32_t first_line;
    bool is_read;
} function;

typedef struct frames {
    const tables *tables;
    brz_ctx *ctx;
    brz_stacks *stacks;
    attributes *attributes;
    mapping *mappings; /* by position in their tables */
    function *functions;
    location_frames *of_location;
    brz_stack *of_stack; /* NO_STACK: not read yet */
    brz_frame_list list; /* frames of the location being read */
    brz_text scratch, id;
    brz_frame unknown;
    bool addresses;   /* name unresolved frames by their address */
    uint64_t *budget; /* see frames_spend */
} frames;

/* Initialises it for tables that are complete. */
void frames_init(frames *f, const tables *t, attributes *a, brz_stacks *stacks, bool addresses,
                 uint64_t *budget);

/* Appends the frames of a location to the current path. `at` is the place of the reference. Returns
 * false after reporting that the budget is spent. */
bool frames_push(frames *f, int64_t location, const void *at);

/* Stores the current path. Warns at `at` if it is empty. */
brz_stack frames_store(frames *f, const void *at);

/* Reads the stack at a position of the table, and stores it. Returns false if the budget is spent.
 */
bool frames_read_stack(frames *f, int64_t position, const void *at, brz_stack *stack);

/* Finds the stack at a position of the table. Returns false if the budget is spent. */
static inline bool frames_stack(frames *f, int64_t position, const void *at, brz_stack *stack)
{
    if ((uint64_t)position < f->tables->of[TABLE_STACKS].n && f->of_stack[position] != NO_STACK) {
        *stack = f->of_stack[position];
        return true;
    }
    return frames_read_stack(f, position, at, stack);
}

/* Takes `amount` off the budget. Returns false after reporting that too little is left. */
bool frames_spend(frames *f, uint64_t amount);

#endif
