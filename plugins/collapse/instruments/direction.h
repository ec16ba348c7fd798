/* Distinguishes call trees, whose rows go from callers to callees, from inverted ones ("Invert Call
 * Tree"), whose rows go from callees to callers.
 *
 * In an inverted tree, the amounts of a root are all its own, and no row below it has an amount of
 * its own. In the usual order, a row without rows below it has its amounts itself. Therefore, the
 * first row below a root that has an amount, and no rows below it, decides. The amounts of the rows
 * above it are kept until then.
 */
#ifndef INSTRUMENTS_DIRECTION_H
#define INSTRUMENTS_DIRECTION_H

#include "../../common/table/level_tree.h"

typedef enum direction_kind {
    DIRECTION_UNKNOWN,
    CALLERS_FIRST,
    CALLEES_FIRST,
} direction_kind;

typedef struct direction {
    direction_kind kind;
    size_t weight;   /* the weight that decides: its rows have their own amounts and totals */
    int64_t *totals; /* per row on the path, and weight: with the amounts of the rows below */
    size_t cap;      /* capacity in rows */
} direction;

/* Remembers the totals of the last row of the tree. */
void direction_add(direction *d, brz_ctx *ctx, const level_tree *t, const int64_t *totals);

/* Decides if the last row of the tree, which has no rows below it, allows that. If the tree is
 * inverted, sets the values of its rows to what is left of the totals, and reverses the order of
 * stacks. */
void direction_decide(direction *d, brz_ctx *ctx, level_tree *t);

/* Gives the last row of a tree, which has no rows below it, its totals if it has no amounts of its
 * own: the rows below it are missing. Returns whether they are. */
bool direction_complete(const direction *d, level_tree *t);

#endif
