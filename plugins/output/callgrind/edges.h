/* What callgrind's format knows of a profile: what each function cost itself, line by line, and
 * what each of its calls cost, by caller and callee.
 *
 * Of a call within an equal one (recursion) the costs are in the outer one, and are not added
 * again.
 */
#ifndef CALLGRIND_EDGES_H
#define CALLGRIND_EDGES_H

#include "../common/calls.h"
#include "../common/functions.h"

/* Costs, at [number * n_weights + weight], of something that belongs to a function. */
typedef struct costs {
    int64_t *values;
    uint32_t *next;  /* number of the function's next one, from 1; 0: none */
    uint32_t *first; /* by function */
} costs;

typedef struct edges {
    functions functions;
    uint32_t n_weights;
    keys lines;        /* (function, line) */
    costs self;        /* by number in `lines` */
    keys pairs;        /* (caller, callee) */
    keys places;       /* (line of the caller, line of the callee) */
    keys calls;        /* (pair, place) */
    costs total;       /* by number in `calls` */
    uint32_t *n_calls; /* likewise: how many calls of the call tree it is */
} edges;

/* Memory is the instance's. */
void edges_init(edges *e, brz_ctx *ctx, const brz_tree *tree);

#endif
