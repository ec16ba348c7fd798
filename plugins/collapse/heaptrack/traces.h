/* SPDX-License-Identifier: MIT */
/* The stacks of a file of heaptrack: texts, places in the code, and traces that refer to them. */
#ifndef HEAPTRACK_TRACES_H
#define HEAPTRACK_TRACES_H

#include "../../common/dump/dump.h"
#include "suppressions.h"

/* Frames of a stack at most, about: heaptrack records 64, and inlined functions. */
#define HEAP_DEPTH_MAX 1024

/* A place in the code: its frames from leaf to root, of which all but the last are inlined. */
typedef struct heap_place {
    size_t first, n;
    size_t first_name, n_names; /* texts that name it: its module, functions and files */
    bool allocates;             /* the place is in operator new, which no stack shows */
} heap_place;

/* A place and the trace that led to it. */
typedef struct heap_trace {
    uint32_t place;  /* index */
    uint32_t above;  /* number of the caller's trace, which is a smaller one; 0: none */
    bool suppressed; /* suppressions name the place or a caller */
} heap_trace;

typedef struct heap_traces {
    brz_str *texts;
    size_t n_texts, texts_cap;
    uint32_t *names; /* numbers of texts */
    size_t n_names, names_cap;
    heap_place *places;
    size_t n_places, places_cap;
    heap_trace *items;
    size_t n, cap;
    brz_frame_list frames;
} heap_traces;

/* Removes a hexadecimal number and the blank after it from the front. */
bool heap_take_number(brz_str *line, uint64_t *number);

/* Adds a text: "LENGTH TEXT" if `sized`, otherwise the text alone. Returns false for
 * other lines, whose number what they have of a text takes. */
bool heap_add_text(heap_traces *t, brz_ctx *ctx, brz_str line, bool sized);

/* Adds a place: "ADDRESS MODULE [FUNCTION [FILE LINE]]*". Returns false for other lines. */
bool heap_add_place(heap_traces *t, dump *d, brz_str line);

/* Adds a trace: "PLACE TRACE". Returns false for other lines, and if more follows. */
bool heap_add_trace(heap_traces *t, brz_ctx *ctx, brz_str line);

/* Marks the traces that suppressions name. */
void heap_suppress(heap_traces *t, brz_ctx *ctx, const suppressions *s);

/* Returns whether a trace, which may be 0, is marked. */
static inline bool heap_is_suppressed(const heap_traces *t, uint32_t trace)
{
    return trace > 0 && t->items[trace - 1].suppressed;
}

/* Appends the frames of a trace, which may be 0, to the empty stack. Returns false if the stack is
 * too deep: it lacks callers. */
bool heap_push_trace(const heap_traces *t, dump *d, uint32_t trace);

#endif
