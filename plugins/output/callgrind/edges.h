/* Costs in the form that callgrind's format needs: the self cost of each function by line, and the
 * cost of its calls by caller and callee.
 *
 * The cost of a recursive call is included in that of the outermost call between the same two
 * functions and is not added again.
 */
#ifndef CALLGRIND_EDGES_H
#define CALLGRIND_EDGES_H

#include "../common/calls.h"
#include "../common/functions.h"

/* Costs that belong to functions, at [number * n_weights + weight]. */
typedef struct costs {
    int64_t *values;
    uint32_t *next;  /* linked list: the function's next cost, from 1; 0 at the end */
    uint32_t *first; /* indexed by function: the head of its list, from 1; 0 if empty */
} costs;

typedef struct edges {
    functions functions;
    uint32_t n_weights;
    keys lines;        /* (function, line) */
    costs self;        /* indexed by number in `lines` */
    keys pairs;        /* (caller, callee) */
    keys places;       /* (line of the caller, line of the callee) */
    keys calls;        /* (pair, place) */
    costs total;       /* indexed by number in `calls` */
    uint32_t *n_calls; /* indexed likewise: number of calls in the call tree */
} edges;

/* Computes the costs for `tree`. The memory belongs to the plug-in instance. */
void edges_init(edges *e, brz_output_ctx *ctx, const brz_tree *tree);

#endif
