/* SPDX-License-Identifier: MIT */
/* Estimates stacks from the costs of functions and of the calls between them.
 *
 * Profilers that count calls know the cost of each function and of each pair of caller and callee,
 * but not which callers of a function lead to which of its callees. call_graph_fold() divides the
 * cost of a call among the stacks of its caller in proportion to their shares. The functions' own
 * costs are divided exactly: their sum over all stacks of a function is what the profiler counted.
 */
#ifndef COMMON_CALL_GRAPH_GRAPH_H
#define COMMON_CALL_GRAPH_GRAPH_H

#include <brazier/text.h>

#include "../pair_map.h"

/* Stands for the absence of a function, place or context. */
#define GRAPH_NONE UINT32_MAX

typedef struct graph_function {
    brz_frame frame;
    uint32_t first_place;
} graph_function;

/* A place of a function that has own costs: the function itself, or one of its lines. */
typedef struct graph_place {
    brz_frame frame;
    uint32_t next; /* place of the same function */
} graph_place;

typedef struct graph_call {
    uint32_t caller, callee;
} graph_call;

typedef struct call_graph {
    brz_ctx *ctx;
    uint32_t n_columns;
    uint32_t outside; /* function that stands for callers that were not profiled; or GRAPH_NONE */
    /* Costs of calls only have a meaning relative to those of other calls of the same function.
     * Otherwise they are parts of the callee's cost, and the rest of it has no caller. */
    bool relative;
    graph_function *functions;
    size_t n_functions, functions_cap;
    graph_place *places;
    int64_t *own; /* a row of columns for each place */
    size_t n_places, places_cap, own_cap;
    graph_call *calls;
    int64_t *costs; /* a row for each call */
    size_t n_calls, calls_cap, costs_cap;
    pair_map place_ids, call_ids;
    bool saturated; /* a sum has reached its limit */
} call_graph;

/* Initialises a graph; call it once per instance. */
void call_graph_init(call_graph *g, brz_ctx *ctx, uint32_t n_columns, bool relative);

/* Adds a function. Returns its index. */
uint32_t call_graph_function(call_graph *g, brz_frame frame);

/* Returns the index of a place of a function. */
uint32_t call_graph_place(call_graph *g, uint32_t function, brz_frame frame);

/* Returns the index of a call. */
uint32_t call_graph_call(call_graph *g, uint32_t caller, uint32_t callee);

/* Returns the index of the calls of a function from outside of the profile. Stacks begin with that
 * function. */
uint32_t call_graph_call_from_outside(call_graph *g, uint32_t callee);

/* Adds a value to a sum, which is clamped rather than wrapped around. */
static inline void call_graph_sum(call_graph *g, int64_t *sum, int64_t value)
{
    if (__builtin_add_overflow(*sum, value, sum)) {
        *sum = value > 0 ? INT64_MAX : INT64_MIN;
        g->saturated = true;
    }
}

/* Adds a row of values to the own costs of a place. */
static inline void call_graph_add_own(call_graph *g, uint32_t place, const int64_t *values)
{
    for (uint32_t k = 0; k < g->n_columns; k++)
        call_graph_sum(g, &g->own[(size_t)place * g->n_columns + k], values[k]);
}

/* Adds a row of values to the cost of a call. */
static inline void call_graph_add_cost(call_graph *g, uint32_t call, const int64_t *values)
{
    for (uint32_t k = 0; k < g->n_columns; k++)
        call_graph_sum(g, &g->costs[(size_t)call * g->n_columns + k], values[k]);
}

/* Counts the stacks of all functions; `stacks` must have been initialised with BRZ_LEAF_FIRST.
 * `weights` has the host's index of each column. Reports cycles and estimated stacks. */
brz_rc call_graph_fold(call_graph *g, brz_stacks *stacks, const uint32_t *weights);

#endif
