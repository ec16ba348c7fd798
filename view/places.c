/* What the viewer shows, and the places before. */
#include "view/places.h"

#include <stdlib.h>

#include "base/mem.h"

void view_places_init(view_places *p, view_graph *graph)
{
    *p = (view_places){.now = {.graph = graph}};
}

void view_places_finish(view_places *p)
{
    while (view_places_undo(p))
        continue;
    view_graph_destroy(p->now.graph);
    free(p->past);
}

static void remember(view_places *p)
{
    p->past = brz_grow(p->past, p->n_past, &p->cap, sizeof *p->past);
    p->past[p->n_past++] = p->now;
}

void view_places_zoom(view_places *p, uint32_t node)
{
    if (node == p->now.zoom)
        return;
    remember(p);
    p->now.zoom = p->now.selected = node;
    p->now.first = 0;
}

void view_places_enter(view_places *p, view_graph *graph)
{
    remember(p);
    p->now = (view_place){.graph = graph};
}

bool view_places_undo(view_places *p)
{
    if (p->n_past == 0)
        return false;
    view_graph *graph = p->now.graph;
    p->now = p->past[--p->n_past];
    if (graph != p->now.graph)
        view_graph_destroy(graph);
    return true;
}

void view_place_scroll(view_place *p, uint32_t rows)
{
    uint32_t depth = view_node(p->graph, p->selected)->depth;
    if (depth < p->first)
        p->first = depth;
    else if (depth - p->first >= rows)
        p->first = depth - rows + 1;
}
