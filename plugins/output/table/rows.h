/* The rows of a table of functions: self and total weight of each function, module or file. */
#ifndef TABLE_ROWS_H
#define TABLE_ROWS_H

#include <brazier/plugin.h>

enum { BY_NAME, BY_MODULE, BY_FILE };
enum { SORT_SELF, SORT_TOTAL, SORT_NAME };

typedef struct row {
    brz_str key;
    int64_t self;
    int64_t total;        /* sum over the stacks that contain it, each counted once */
    brz_str module, file; /* common value of all its frames, or "…" if they differ */
    uint32_t line;        /* likewise; 0 if they differ */
    uint32_t last_stack;  /* the last stack counted, from 1; 0: none */
} row;

typedef struct rows {
    row *items;
    const row **order, **spare; /* sorted rows, after rows_sort(); scratch space */
    uint32_t n;
    uint32_t *of_frame; /* indexed by frame: its row */
} rows;

/* Groups the frames of the tree into rows. The memory belongs to the plug-in instance. */
void rows_init(rows *r, brz_output_ctx *ctx, const brz_tree *tree, int32_t by);

/* Computes self and total for one weight; discards those of earlier calls. */
void rows_count(rows *r, const brz_tree *tree, uint32_t weight);

/* Sorts rows, heaviest or alphabetically first name first. The order depends only on the rows. Rows
 * without stacks of the weight come last. */
void rows_sort(rows *r, int32_t sort);

#endif
