/* What the viewer shows: a graph, the frame that fills the width, and the chosen frame; and the
 * places before, for undoing. */
#ifndef BRZ_VIEW_PLACES_H
#define BRZ_VIEW_PLACES_H

#include "view/graph.h"

typedef struct view_place {
    view_graph *graph;
    uint32_t zoom;     /* node that is as wide as the screen */
    uint32_t selected; /* node that keys move */
    uint32_t first;    /* depth of the first row */
} view_place;

typedef struct view_places {
    view_place now;
    view_place *past;
    size_t n_past, cap;
} view_places;

/* Shows the root of a graph, which the places own from now on. */
void view_places_init(view_places *p, view_graph *graph);

void view_places_finish(view_places *p);

/* Zooms to a node of the graph, and remembers the place before. */
void view_places_zoom(view_places *p, uint32_t node);

/* Shows the root of another graph, which the places own from now on, and remembers the place
 * before. */
void view_places_enter(view_places *p, view_graph *graph);

/* Returns to the place before. Returns false if there is none. */
bool view_places_undo(view_places *p);

/* Scrolls until the chosen frame is in one of the rows. */
void view_place_scroll(view_place *p, uint32_t rows);

#endif
