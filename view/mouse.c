/* SPDX-License-Identifier: MIT */
/* Carries out what the mouse does. */
#include "view/mouse.h"

/* Returns the node of a pane at a cell of the screen, or VIEW_NO_NODE. */
static uint32_t node_at(const view_layout *l, view_area area, view_mouse m)
{
    if (m.row < area.top || m.row - area.top >= area.rows)
        return VIEW_NO_NODE;
    uint32_t row = m.row - area.top;
    return view_layout_at(l, area.root_on_top ? row : area.rows - 1 - row, m.column);
}

/* Chooses a node of the pane that has the choice. Returns Enter if it had been chosen before. */
static uint32_t choose(viewer *v, uint32_t node)
{
    view_pane *pane = &v->places.now.pane;
    bool again = pane->selected == node;
    pane->selected = node;
    return again ? VIEW_KEY_ENTER : VIEW_KEY_NONE;
}

static uint32_t click_picture(viewer *v, view_mouse m)
{
    uint32_t node = node_at(&v->layout, viewer_area(v, true), m);
    if (node != VIEW_NO_NODE)
        return choose(v, node);
    if (v->places.now.other.graph == NULL)
        return VIEW_KEY_NONE;
    node = node_at(&v->other_layout, viewer_area(v, false), m);
    if (node == VIEW_NO_NODE)
        return VIEW_KEY_NONE;
    viewer_switch(v);
    v->places.now.pane.selected = node;
    return VIEW_KEY_NONE;
}

/* The first row of the screen is the heading, the last one the status. */
static uint32_t click_table(viewer *v, view_mouse m)
{
    view_table *t = &v->table;
    uint32_t row = t->top + m.row - 1;
    if (m.row == 0 || m.row + 1 >= view_screen_rows(v->screen) || row >= t->n)
        return VIEW_KEY_NONE;
    bool again = t->selected == row;
    t->selected = row;
    return again ? VIEW_KEY_ENTER : VIEW_KEY_NONE;
}

uint32_t view_mouse_key(viewer *v)
{
    view_mouse m = view_screen_mouse(v->screen);
    if (v->prompt != VIEW_PROMPT_NONE || v->is_helping)
        return VIEW_KEY_NONE;
    switch (m.button) {
    case VIEW_BUTTON_LEFT:
        return v->mode == VIEW_TABLE ? click_table(v, m) : click_picture(v, m);
    case VIEW_BUTTON_WHEEL_UP:
        return VIEW_KEY_UP;
    case VIEW_BUTTON_WHEEL_DOWN:
        return VIEW_KEY_DOWN;
    default:
        return VIEW_KEY_NONE;
    }
}
