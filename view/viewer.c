/* SPDX-License-Identifier: MIT */
/* The state of the viewer while it shows a profile. */
#include "view/viewer.h"

#define STATUS_ROWS 2

static uint32_t picture_rows(const viewer *v)
{
    uint32_t rows = view_screen_rows(v->screen);
    return rows > STATUS_ROWS ? rows - STATUS_ROWS : 1;
}

view_area viewer_area(const viewer *v, bool has_choice)
{
    const view_place *now = &v->places.now;
    uint32_t rows = picture_rows(v), upper = rows / 2;
    if (now->other.graph == NULL)
        return (view_area){0, rows, v->inverted};
    if (now->in_callers == has_choice)
        return (view_area){0, upper, false};
    return (view_area){upper, rows - upper, true};
}

static void lay_out(viewer *v, view_pane *pane, view_layout *layout, view_area area)
{
    view_pane_scroll(pane, area.rows > 0 ? area.rows : 1);
    view_layout_resize(layout, area.rows, view_screen_columns(v->screen), pane->first);
    view_layout_fill(layout, pane->graph, pane->zoom);
}

void viewer_lay_out(viewer *v)
{
    view_place *now = &v->places.now;
    lay_out(v, &now->pane, &v->layout, viewer_area(v, true));
    if (now->other.graph != NULL)
        lay_out(v, &now->other, &v->other_layout, viewer_area(v, false));
}

void viewer_enter(viewer *v, const view_place *place)
{
    view_places_enter(&v->places, place);
    view_search_apply(&v->search, place->pane.graph);
}

void viewer_undo(viewer *v)
{
    const view_graph *before = v->places.now.pane.graph;
    if (!view_places_undo(&v->places))
        brz_buf_add_text(&v->message, "nothing to undo");
    else if (v->places.now.pane.graph != before)
        view_search_apply(&v->search, v->places.now.pane.graph);
}

void viewer_switch(viewer *v)
{
    view_place_switch(&v->places.now);
    if (v->places.now.other.graph != NULL)
        view_search_apply(&v->search, v->places.now.pane.graph);
}

void viewer_zoom(viewer *v, uint32_t node)
{
    view_places_zoom(&v->places, node);
}

void viewer_add_live(const viewer *v, brz_buf *b)
{
    if (v->live == NULL)
        return;
    brz_buf_add_text(b, " ");
    v->live->describe(v->live->context, v->is_paused, b);
}
