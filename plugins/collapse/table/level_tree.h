/* A call tree that is printed a row a function, the caller above the callees, each row with its
 * level. Rows become stacks; a row's values are held until the next row that is not below it, so
 * that what its callees took can still be taken off.
 */
#ifndef BRZ_TABLE_LEVEL_TREE_H
#define BRZ_TABLE_LEVEL_TREE_H

#include <brazier/text/stacks.h>
#include <brazier/tree.h>

/* Stacks are told apart once for all weights: `stacks` sums up the first, `sums` the others, by the
 * number of the stack's entry. */
typedef struct level_tree {
    brz_stacks *stacks;
    int64_t *sums; /* n_weights for each entry; the first is not used */
    size_t sums_cap;
    size_t n_weights;
    uint32_t *columns; /* by weight: the host's number; BRZ_NO_WEIGHT: it is left out */
    uint32_t n_columns;
    size_t n_declared;
    int64_t *values; /* n_weights for each row on the path */
    size_t *holders; /* for each row: the nearest row from it upwards that has values, from 1 */
    size_t cap;      /* rows there is room for */
} level_tree;

/* `stacks` is set up by its owner, roots first. */
void level_tree_init(level_tree *t, brz_ctx *ctx, brz_stacks *stacks, size_t n_weights);

/* Declares the next weight to the host. One that the host takes for an earlier one, as their names
 * are the same but for malformed UTF-8, is left out. */
void level_tree_declare(level_tree *t, brz_ctx *ctx, const brz_weight_desc *d);

/* Takes a part off a whole; parts that make more than the whole leave nothing of it. */
static inline void level_take_off(int64_t *whole, int64_t part)
{
    *whole = *whole > part ? *whole - part : 0;
}

/* How many rows are on the path from the root to the last one. */
static inline size_t level_tree_depth(const level_tree *t)
{
    return t->stacks->path->n;
}

/* What a row on the path weighs by itself as far as is known; level 0 is the root's. */
static inline int64_t *level_tree_values(level_tree *t, size_t level)
{
    return t->values + level * t->n_weights;
}

/* Puts a row below the last one and gives its values, which are zero, to be filled in. */
int64_t *level_tree_push(level_tree *t, brz_ctx *ctx, brz_frame frame);

/* The last row's values are not known: what is below it is taken off the row above it. */
void level_tree_forget_values(level_tree *t);

/* Takes the last row's value off that of the row above it, which includes it. */
void level_tree_take_off(level_tree *t, size_t weight);

/* Counts the last row with those of its values that are above zero, and takes it off. */
brz_rc level_tree_pop(level_tree *t, brz_ctx *ctx);

/* The same until `depth` rows are left. */
brz_rc level_tree_cut(level_tree *t, brz_ctx *ctx, size_t depth);

/* Hands over the sums of the other weights: before brz_stacks_finish. */
brz_rc level_tree_finish(level_tree *t, brz_ctx *ctx);

#endif
