/* The state of the viewer while it shows a profile. */
#include "view/viewer.h"

#define STATUS_ROWS 2

uint32_t viewer_picture_rows(const viewer *v)
{
    uint32_t rows = view_screen_rows(v->screen);
    return rows > STATUS_ROWS ? rows - STATUS_ROWS : 1;
}

void viewer_lay_out(viewer *v)
{
    view_place *now = &v->places.now;
    uint32_t rows = viewer_picture_rows(v);
    view_place_scroll(now, rows);
    view_layout_resize(&v->layout, rows, view_screen_columns(v->screen), now->first);
    view_layout_fill(&v->layout, now->graph, now->zoom);
}

void viewer_enter(viewer *v, view_graph *graph)
{
    view_places_enter(&v->places, graph);
    view_search_apply(&v->search, graph);
}

void viewer_undo(viewer *v)
{
    const view_graph *before = v->places.now.graph;
    if (!view_places_undo(&v->places))
        brz_buf_add_text(&v->message, "nothing to undo");
    else if (v->places.now.graph != before)
        view_search_apply(&v->search, v->places.now.graph);
}

void viewer_zoom(viewer *v, uint32_t node)
{
    view_places_zoom(&v->places, node);
}
