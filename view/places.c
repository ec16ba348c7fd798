/* SPDX-License-Identifier: MIT */
/* What the viewer shows, and the places before. */
#include "view/places.h"

#include <stdlib.h>

#include "base/mem.h"

void view_places_init(view_places *p, view_graph *graph)
{
    *p = (view_places){.now.pane.graph = graph};
}

void view_places_finish(view_places *p)
{
    while (view_places_undo(p))
        continue;
    view_graph_destroy(p->now.pane.graph);
    free(p->past);
}

static void remember(view_places *p)
{
    p->past = brz_grow(p->past, p->n_past, &p->cap, sizeof *p->past);
    p->past[p->n_past++] = p->now;
}

void view_places_zoom(view_places *p, uint32_t node)
{
    if (node == p->now.pane.zoom)
        return;
    remember(p);
    p->now.pane.zoom = p->now.pane.selected = node;
    p->now.pane.first = 0;
}

void view_places_enter(view_places *p, const view_place *place)
{
    remember(p);
    p->now = *place;
}

static bool has_graph(const view_place *p, const view_graph *g)
{
    return p != NULL && (p->pane.graph == g || p->other.graph == g);
}

/* Destroys a graph unless the place shows it. */
static void drop(const view_place *shown, view_graph *graph)
{
    if (graph != NULL && !has_graph(shown, graph))
        view_graph_destroy(graph);
}

void view_place_leave(view_place *p, const view_place *next)
{
    drop(next, p->pane.graph);
    drop(next, p->other.graph);
    p->pane.graph = p->other.graph = NULL;
}

bool view_places_undo(view_places *p)
{
    if (p->n_past == 0)
        return false;
    view_place left = p->now;
    p->now = p->past[--p->n_past];
    view_place_leave(&left, &p->now);
    return true;
}

void view_place_switch(view_place *p)
{
    view_pane pane = p->pane;
    if (p->other.graph == NULL)
        return;
    p->pane = p->other;
    p->other = pane;
    p->in_callers = !p->in_callers;
}

void view_pane_scroll(view_pane *p, uint32_t rows)
{
    uint32_t depth = view_node(p->graph, p->selected)->depth;
    if (depth < p->first)
        p->first = depth;
    else if (depth - p->first >= rows)
        p->first = depth - rows + 1;
}
