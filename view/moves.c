/* SPDX-License-Identifier: MIT */
/* Moves the choice from frame to frame. */
#include "view/moves.h"

static void choose(viewer *v, uint32_t node)
{
    v->places.now.pane.selected = node;
    viewer_lay_out(v);
}

void view_move_out(viewer *v, uint32_t n)
{
    const view_pane *now = &v->places.now.pane;
    uint32_t depth = view_node(now->graph, now->selected)->depth;
    uint32_t to = depth > n ? depth - n : 0;
    choose(v, view_graph_ancestor(now->graph, now->selected, to));
}

/* Returns the widest callee of the chosen frame that is drawn, or VIEW_NO_NODE. */
static uint32_t widest_callee(const viewer *v)
{
    const view_pane *now = &v->places.now.pane;
    view_span span;
    if (!view_layout_find(&v->layout, now->graph, now->selected, &span))
        return VIEW_NO_NODE;
    uint32_t row = view_node(now->graph, now->selected)->depth - v->layout.first;
    return view_layout_widest(&v->layout, row + 1, span);
}

/* Makes the row above the chosen one visible. */
static void show_next_row(viewer *v)
{
    view_pane *now = &v->places.now.pane;
    if (view_node(now->graph, now->selected)->depth - v->layout.first + 1 < v->layout.rows)
        return;
    view_layout_resize(&v->layout, v->layout.rows, v->layout.columns, ++now->first);
    view_layout_fill(&v->layout, now->graph, now->zoom);
}

void view_move_in(viewer *v, uint32_t n)
{
    while (n-- > 0) {
        show_next_row(v);
        uint32_t node = widest_callee(v);
        if (node == VIEW_NO_NODE)
            break;
        v->places.now.pane.selected = node;
    }
    viewer_lay_out(v);
}

void view_move_aside(viewer *v, int step)
{
    const view_pane *now = &v->places.now.pane;
    view_span span;
    if (!view_layout_find(&v->layout, now->graph, now->selected, &span))
        return;
    uint32_t row = view_node(now->graph, now->selected)->depth - v->layout.first;
    uint32_t node = VIEW_NO_NODE, column = step > 0 ? span.to : span.from - 1;
    while (node == VIEW_NO_NODE && column < v->layout.columns) {
        node = view_layout_at(&v->layout, row, column);
        column += (uint32_t)step;
    }
    if (node != VIEW_NO_NODE)
        choose(v, node);
}

void view_move_to(viewer *v, uint32_t node)
{
    view_pane *now = &v->places.now.pane;
    view_span span;
    uint32_t caller = view_node(now->graph, node)->parent;
    choose(v, node);
    if (view_layout_find(&v->layout, now->graph, node, &span))
        return;
    double part = (double)view_node(now->graph, node)->total;
    double whole = (double)view_node(now->graph, caller)->total;
    viewer_zoom(v, part * v->layout.columns >= whole ? caller : node);
    choose(v, node);
}
