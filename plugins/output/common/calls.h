/* The call tree with what every weight says of it: brz_node has the run's weight alone.
 *
 * Call 0 is the root, and calls are in pre-order as nodes are. It is made of stacks, which must
 * come in the order of nodes: the output asks for BRZ_OUTPUT_NODES and BRZ_OUTPUT_STACKS.
 */
#ifndef OUTPUT_COMMON_CALLS_H
#define OUTPUT_COMMON_CALLS_H

#include <brazier/plugin.h>

typedef struct call {
    uint32_t frame;   /* BRZ_NO_FRAME: the root */
    uint32_t parent;  /* of the root: 0 */
    uint32_t depth;   /* 0 for the root */
    uint32_t subtree; /* calls in it, itself included */
} call;

typedef struct calls {
    call *items;
    uint32_t n, n_weights;
    int64_t *self, *total; /* of call i and weight w: at [i * n_weights + w] */
} calls;

/* What to make of values below 0. */
typedef enum calls_values { CALLS_SIGNED, CALLS_NEGATIVE_AS_ZERO } calls_values;

/* Memory is the instance's. Sums stay at the ends of 64 bits. */
void calls_init(calls *c, brz_ctx *ctx, const brz_tree *tree, calls_values values);

static inline int64_t call_self(const calls *c, uint32_t i, uint32_t weight)
{
    return c->self[(size_t)i * c->n_weights + weight];
}

static inline int64_t call_total(const calls *c, uint32_t i, uint32_t weight)
{
    return c->total[(size_t)i * c->n_weights + weight];
}

/* a + b, at the end of the range if it would leave it. */
static inline int64_t add_saturated(int64_t a, int64_t b)
{
    int64_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        return a < 0 ? INT64_MIN : INT64_MAX;
    return sum;
}

#endif
