/* SPDX-License-Identifier: MIT */
/* The functions of a graph with their weights, as rows. */
#ifndef BRZ_VIEW_TABLE_H
#define BRZ_VIEW_TABLE_H

#include "view/graph.h"

typedef struct view_row {
    uint32_t frame, node; /* the function, and its heaviest node */
    int64_t self, total;  /* with signs; a function below itself counts once */
    int64_t change;       /* of the total, in a comparison */
} view_row;

/* The column by which rows are sorted. */
typedef enum view_sort {
    VIEW_SORT_SELF,
    VIEW_SORT_TOTAL,
    VIEW_SORT_CHANGE, /* only in a comparison */
    VIEW_SORT_NAME,
} view_sort;

typedef struct view_table {
    const view_graph *graph;
    view_row *rows;
    uint32_t n;
    view_sort sort;
    uint32_t selected, top; /* chosen row, and the first one on the screen */
} view_table;

/* Fills in the rows of a graph, sorted as they were before. */
void view_table_fill(view_table *t, const view_graph *g);

/* Does the same for another graph of the profile. The chosen row stays at its function, and the
 * first row that is shown where it was. */
void view_table_replace(view_table *t, const view_graph *g);

void view_table_finish(view_table *t);

/* Returns whether the graph compares two profiles. */
bool view_table_compares(const view_table *t);

/* Sorts by the next column: numbers from the largest size, names from the first. The chosen row
 * stays at its function. */
void view_table_sort_next(view_table *t);

/* Chooses the row that is some rows away, or the first or last one. */
void view_table_move(view_table *t, int64_t rows);

#endif
