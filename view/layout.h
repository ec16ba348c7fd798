/* SPDX-License-Identifier: MIT */
/* Assigns the cells of a screen to nodes: a row for each depth. A cell belongs to the frame that
 * covers its centre, so that the silhouette is true, and the time depends on the screen only. */
#ifndef BRZ_VIEW_LAYOUT_H
#define BRZ_VIEW_LAYOUT_H

#include "view/graph.h"

typedef struct view_layout {
    uint32_t *cells; /* node of each cell, row by row, or VIEW_NO_NODE */
    size_t cap;
    uint32_t rows, columns;
    uint32_t first; /* depth of the first row */
} view_layout;

/* Fills in the cells. `zoom` is as wide as the screen, and so are its callers. */
void view_layout_fill(view_layout *l, const view_graph *g, uint32_t zoom);

/* Sets the size of the screen and the depth of the first row. */
void view_layout_resize(view_layout *l, uint32_t rows, uint32_t columns, uint32_t first);

void view_layout_finish(view_layout *l);

/* Returns the node of a cell, or VIEW_NO_NODE; rows count from the first depth. */
static inline uint32_t view_layout_at(const view_layout *l, uint32_t row, uint32_t column)
{
    return row < l->rows && column < l->columns ? l->cells[(size_t)row * l->columns + column]
                                                : VIEW_NO_NODE;
}

/* The cells of a frame: columns from .. to - 1. */
typedef struct view_span {
    uint32_t from, to;
} view_span;

/* Returns the cells of the frame at a column. */
view_span view_layout_span(const view_layout *l, uint32_t row, uint32_t column);

/* Finds the cells of a node. Returns false if it has none. */
bool view_layout_find(const view_layout *l, const view_graph *g, uint32_t node, view_span *span);

/* Returns the node with the most cells in a part of a row, the first of several, or VIEW_NO_NODE.
 */
uint32_t view_layout_widest(const view_layout *l, uint32_t row, view_span in);

#endif
