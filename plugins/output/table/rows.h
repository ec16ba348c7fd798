/* The rows of a table of functions: who weighed what, alone and with all that it called. */
#ifndef TABLE_ROWS_H
#define TABLE_ROWS_H

#include <brazier/plugin.h>

enum { BY_NAME, BY_MODULE, BY_FILE };
enum { SORT_SELF, SORT_TOTAL, SORT_NAME };

typedef struct row {
    brz_str key;
    int64_t self;
    int64_t total;        /* of the stacks that it is in, each counted once */
    brz_str module, file; /* what all of its frames have, or "…" if they differ */
    uint32_t line;        /* likewise; 0 if they differ */
    uint32_t last_stack;  /* the last one that was counted, from 1 */
} row;

typedef struct rows {
    row *items;
    const row **order, **spare; /* order: after rows_sort */
    uint32_t n;
    uint32_t *of_frame; /* by frame: the row it belongs to */
} rows;

/* Groups the frames of the tree. Memory is the instance's. */
void rows_init(rows *r, brz_ctx *ctx, const brz_tree *tree, int32_t by);

/* Fills in what one weight says; rows of earlier calls are forgotten. */
void rows_count(rows *r, const brz_tree *tree, uint32_t weight);

/* Orders rows, heaviest or first name first, in a way that depends on nothing but them. Those that
 * the weight does not know come last. */
void rows_sort(rows *r, int32_t sort);

#endif
