/* SPDX-License-Identifier: MIT */
/* Assigns the cells of a screen to nodes. */
#include "view/layout.h"

#include <stdlib.h>

#include "base/mem.h"

void view_layout_resize(view_layout *l, uint32_t rows, uint32_t columns, uint32_t first)
{
    size_t n = (size_t)rows * columns;
    if (n > l->cap) {
        l->cells = brz_realloc(l->cells, n, sizeof *l->cells);
        l->cap = n;
    }
    l->rows = rows;
    l->columns = columns;
    l->first = first;
}

void view_layout_finish(view_layout *l)
{
    free(l->cells);
    *l = (view_layout){0};
}

static uint32_t *cell(view_layout *l, uint32_t row, uint32_t column)
{
    return &l->cells[(size_t)row * l->columns + column];
}

static void copy_column(view_layout *l, uint32_t column)
{
    for (uint32_t row = 0; row < l->rows; row++)
        *cell(l, row, column) = *cell(l, row, column - 1);
}

/* Fills in a column with a node and its callers. */
static void fill_column(view_layout *l, const view_graph *g, uint32_t node, uint32_t column)
{
    uint32_t depth = view_node(g, node)->depth, filled = 0;
    if (depth >= l->first) {
        filled = depth - l->first < l->rows ? depth - l->first + 1 : l->rows;
        node = view_graph_ancestor(g, node, l->first + filled - 1);
    }
    for (uint32_t row = filled; row < l->rows; row++)
        *cell(l, row, column) = VIEW_NO_NODE;
    for (uint32_t row = filled; row-- > 0; node = view_node(g, node)->parent)
        *cell(l, row, column) = node;
}

void view_layout_fill(view_layout *l, const view_graph *g, uint32_t zoom)
{
    double from = (double)g->at[zoom], size = (double)view_node(g, zoom)->total;
    uint32_t before = VIEW_NO_NODE;
    for (uint32_t column = 0; column < l->columns; column++) {
        uint32_t node = zoom;
        if (size > 0)
            node = view_graph_find(g, zoom, from + (column + 0.5) * size / l->columns);
        if (node == before)
            copy_column(l, column);
        else
            fill_column(l, g, node, column);
        before = node;
    }
}

view_span view_layout_span(const view_layout *l, uint32_t row, uint32_t column)
{
    view_span s = {column, column + 1};
    uint32_t node = view_layout_at(l, row, column);
    while (s.from > 0 && view_layout_at(l, row, s.from - 1) == node)
        s.from--;
    while (s.to < l->columns && view_layout_at(l, row, s.to) == node)
        s.to++;
    return s;
}

bool view_layout_find(const view_layout *l, const view_graph *g, uint32_t node, view_span *span)
{
    uint32_t depth = view_node(g, node)->depth, row = depth - l->first;
    for (uint32_t column = 0; depth >= l->first && row < l->rows && column < l->columns; column++)
        if (view_layout_at(l, row, column) == node) {
            *span = view_layout_span(l, row, column);
            return true;
        }
    return false;
}

uint32_t view_layout_widest(const view_layout *l, uint32_t row, view_span in)
{
    uint32_t widest = VIEW_NO_NODE, most = 0;
    for (uint32_t column = in.from; column < in.to; column++) {
        uint32_t node = view_layout_at(l, row, column), from = column;
        while (column + 1 < in.to && view_layout_at(l, row, column + 1) == node)
            column++;
        if (node == VIEW_NO_NODE || column + 1 - from <= most)
            continue;
        widest = node;
        most = column + 1 - from;
    }
    return widest;
}
