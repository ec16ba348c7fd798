/* SPDX-License-Identifier: MIT */
/* The rows of a table of functions: self and total weight of each function, module or file. */
#ifndef OUTPUT_COMMON_ROWS_H
#define OUTPUT_COMMON_ROWS_H

#include <brazier/plugin.h>

enum { BY_NAME, BY_MODULE, BY_FILE };
enum { SORT_SELF, SORT_TOTAL, SORT_NAME };

/* Weights of a row. */
typedef struct row_weights {
    int64_t self;
    int64_t total;  /* sum over the stacks that contain it, each counted once */
    int64_t losses; /* the part of that from negative values, without its sign */
} row_weights;

typedef struct row {
    brz_str key;
    row_weights shown;
    row_weights before, after; /* of a comparison, after rows_compare() */
    brz_str module, file;      /* common value of all its frames, or "…" if they differ */
    uint32_t line;             /* likewise; 0 if they differ */
    uint32_t n_open;           /* while stacks are counted: how often it is on the current one */
    bool is_known;             /* it has stacks of the weight, or of one of those compared */
    bool was_before, is_after; /* in a comparison: it has stacks of that side */
} row;

/* A frame of the current stack, and what the stacks with it have in common with it. */
typedef struct open_row {
    row *row;
    int64_t total, losses;
    bool is_weighted; /* one of them has a value */
} open_row;

typedef struct rows {
    row *items;
    open_row *open;             /* room for the deepest stack */
    const row **order, **spare; /* sorted rows, after rows_sort(); scratch space */
    uint32_t n;
    uint32_t *of_frame; /* indexed by frame: its row */
    bool by_name;       /* frames with the same name have the same row */
    int64_t gains,
        losses; /* sums of the positive values of all stacks, and of the sizes of others */
} rows;

/* Groups the frames of the tree into rows. The memory belongs to the plug-in instance. */
void rows_init(rows *r, brz_output_ctx *ctx, const brz_tree *tree, int32_t by);

/* Computes self and total for one weight; discards those of earlier calls. */
void rows_count(rows *r, const brz_tree *tree, uint32_t weight);

/* Computes the weights before and after of a comparison. Rows of either side are known then. */
void rows_compare(rows *r, const brz_tree *tree);

static inline bool row_is_new(const row *r)
{
    return !r->was_before && r->is_after;
}

static inline bool row_is_vanished(const row *r)
{
    return r->was_before && !r->is_after;
}

/* Returns the difference of two weights, saturated at the limits of int64_t. */
int64_t rows_change(int64_t before, int64_t after);

/* Sorts rows, heaviest or alphabetically first name first; in a comparison, those that changed most
 * come first. The sign of a weight does not matter. The order depends only on the rows. Unknown
 * rows come last. */
void rows_sort(rows *r, int32_t sort, bool by_change);

#endif
