/* SPDX-License-Identifier: MIT */
/* Builds stacks from a call tree printed with one row per function: callers come before callees,
 * and each row has a level. The values of a row are held until the next row that is not below it,
 * so that the callees' values can be subtracted first. */
#ifndef COMMON_TABLE_LEVEL_TREE_H
#define COMMON_TABLE_LEVEL_TREE_H

#include <brazier/text/stacks.h>
#include <brazier/tree.h>

/* Each stack is looked up once for all weights: `stacks` sums up the first weight, `sums` the
 * others, indexed by the stack's entry. */
typedef struct level_tree {
    brz_stacks *stacks;
    int64_t *sums; /* n_weights sums per entry; the first is unused */
    size_t sums_cap;
    size_t n_weights;
    uint32_t *columns; /* indexed by weight: the host's column; BRZ_NO_COLUMN: left out */
    uint32_t n_columns;
    size_t n_declared;
    int64_t *values; /* n_weights values per row on the path */
    size_t
        *holders; /* for each row: the nearest enclosing row with values, itself included, from 1 */
    size_t cap;   /* capacity in rows */
} level_tree;

/* Initialises the tree. The owner sets up `stacks`, with roots first. */
void level_tree_init(level_tree *t, brz_ctx *ctx, brz_stacks *stacks, size_t n_weights);

/* Declares the next weight. Leaves it out if the host identifies it with an earlier one, which
 * happens if their names differ only in malformed UTF-8. */
void level_tree_declare(level_tree *t, brz_ctx *ctx, brz_str name, const char *unit,
                        uint32_t decimals);

/* Subtracts a part from a whole; the result is at least 0. */
static inline void level_take_off(int64_t *whole, int64_t part)
{
    *whole = *whole > part ? *whole - part : 0;
}

/* Returns the number of rows on the path from the root to the last row. */
static inline size_t level_tree_depth(const level_tree *t)
{
    return t->stacks->path->n;
}

/* Returns the values of a row on the path, less those of the callees read so far; level 0 is the
 * root's. */
static inline int64_t *level_tree_values(level_tree *t, size_t level)
{
    return t->values + level * t->n_weights;
}

/* Adds a row below the last one. Returns its values, which are 0, for the caller to fill in. */
int64_t *level_tree_push(level_tree *t, brz_ctx *ctx, brz_frame frame);

/* Marks the last row's values as unknown: values of rows below it are subtracted from the row
 * above. */
void level_tree_forget_values(level_tree *t);

/* Finds the part of the first weight that is missing if the last row counts nothing: the row above
 * keeps that part of the last row's inclusive value that its callees have left. The value is
 * unknown if it is negative. Returns false if the part is unknown. */
bool level_tree_missing(const level_tree *t, int64_t value, int64_t *missing);

/* Subtracts the last row's value from that of the row above, which includes it. */
void level_tree_take_off(level_tree *t, size_t weight);

/* Counts those values of the last row that are positive, and removes the row. */
brz_rc level_tree_pop(level_tree *t, brz_ctx *ctx);

/* Removes rows in the same way until `depth` rows remain. */
brz_rc level_tree_cut(level_tree *t, brz_ctx *ctx, size_t depth);

/* Reports the sums of the other weights. Call it before brz_stacks_finish. */
brz_rc level_tree_finish(level_tree *t, brz_ctx *ctx);

#endif
