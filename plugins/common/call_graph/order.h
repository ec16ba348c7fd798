/* SPDX-License-Identifier: MIT */
/* Orders the functions of a call graph so that callers precede callees. */
#ifndef COMMON_CALL_GRAPH_ORDER_H
#define COMMON_CALL_GRAPH_ORDER_H

#include "graph.h"

/* Calls by their callers, or by their callees: those of function f are
 * calls[first[f]..first[f + 1]). */
typedef struct graph_index {
    uint32_t *calls;
    uint32_t *first;
} graph_index;

typedef struct graph_order {
    uint32_t *functions; /* callers before callees */
    graph_index in;      /* calls by callee, without those that are cut and those to itself */
    bool *in_cycle;      /* whether a function calls itself through others */
    uint64_t n_cut;      /* calls that close a cycle of several functions */
} graph_order;

/* Orders the functions of a graph. Follows the most expensive calls first, and leaves out the calls
 * that close a cycle. */
void graph_order_make(graph_order *o, const call_graph *g);

#endif
