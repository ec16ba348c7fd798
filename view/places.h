/* SPDX-License-Identifier: MIT */
/* What the viewer shows, and the places before, for undoing.
 *
 * A pane is a graph with the frame that fills the width and the chosen frame. A place has one pane
 * or, for the callers and callees of a function, two, of which one has the choice. */
#ifndef BRZ_VIEW_PLACES_H
#define BRZ_VIEW_PLACES_H

#include "view/steps.h"

typedef struct view_pane {
    view_graph *graph;
    uint32_t zoom;     /* node that is as wide as the screen */
    uint32_t selected; /* node that keys move */
    uint32_t first;    /* depth of the first row */
} view_pane;

typedef struct view_place {
    view_pane pane;  /* the one that keys move in */
    view_pane other; /* its graph is NULL if there is one pane */
    bool in_callers; /* of two panes, `pane` is that of the callers */
    view_order order;
    bool is_open;          /* each frame of a run of unnamed ones is shown */
    const view_step *step; /* the last one from the graph of the profile; NULL: none */
} view_place;

typedef struct view_places {
    view_place now;
    view_place *past;
    size_t n_past, cap;
} view_places;

/* Shows the root of a graph, which the places own from now on. */
void view_places_init(view_places *p, view_graph *graph);

void view_places_finish(view_places *p);

/* Zooms to a node of the pane, and remembers the place before. */
void view_places_zoom(view_places *p, uint32_t node);

/* Shows other graphs, which the places own from now on, and remembers the place before. */
void view_places_enter(view_places *p, const view_place *place);

/* Returns to the place before. Returns false if there is none. */
bool view_places_undo(view_places *p);

/* Destroys the graphs of a place, except those that the next one shows, or NULL. */
void view_place_leave(view_place *p, const view_place *next);

/* Gives the choice to the other pane, if there is one. */
void view_place_switch(view_place *p);

/* Scrolls until the chosen frame is in one of the rows. */
void view_pane_scroll(view_pane *p, uint32_t rows);

#endif
