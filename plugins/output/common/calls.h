/* SPDX-License-Identifier: MIT */
/* The call tree with all weights; brz_node has only the selected one.
 *
 * Call 0 is the root, and calls are in pre-order, like nodes. The tree is built from stacks, which
 * must come in node order: the output sets BRZ_OUTPUT_NODES and BRZ_OUTPUT_STACKS.
 */
#ifndef OUTPUT_COMMON_CALLS_H
#define OUTPUT_COMMON_CALLS_H

#include <brazier/plugin.h>

typedef struct call {
    uint32_t frame;   /* BRZ_NO_FRAME for the root */
    uint32_t parent;  /* 0 for the root */
    uint32_t depth;   /* 0 for the root */
    uint32_t subtree; /* number of calls in the subtree, including this one */
} call;

typedef struct calls {
    call *items;
    uint32_t n, n_weights;
    int64_t *self, *total; /* at [i * n_weights + w] for call i and weight w */
} calls;

/* Returns the number of frames of the longest stack. */
static inline uint32_t calls_deepest(const brz_tree *tree)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < tree->n_stacks; i++)
        n = brz_stack_at(tree, i)->n > n ? brz_stack_at(tree, i)->n : n;
    return n;
}

/* Treatment of negative values. */
typedef enum calls_values { CALLS_SIGNED, CALLS_NEGATIVE_AS_ZERO } calls_values;

/* Builds the calls of `tree`. The memory belongs to the plug-in instance. Sums saturate at the
 * limits of int64_t. */
void calls_init(calls *c, brz_output_ctx *ctx, const brz_tree *tree, calls_values values);

/* Returns the last call of each stack, indexed by stack; the root for a stack without frames. The
 * memory belongs to the plug-in instance. */
uint32_t *calls_ends(brz_output_ctx *ctx, const brz_tree *tree);

static inline int64_t call_self(const calls *c, uint32_t i, uint32_t weight)
{
    return c->self[(size_t)i * c->n_weights + weight];
}

static inline int64_t call_total(const calls *c, uint32_t i, uint32_t weight)
{
    return c->total[(size_t)i * c->n_weights + weight];
}

/* Returns a value without its sign. */
static inline uint64_t size_of_value(int64_t value)
{
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/* Returns a + b, saturated at the limits of int64_t. */
static inline int64_t add_saturated(int64_t a, int64_t b)
{
    int64_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        return a < 0 ? INT64_MIN : INT64_MAX;
    return sum;
}

#endif
