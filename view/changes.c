/* SPDX-License-Identifier: MIT */
/* Changes what is shown. */
#include "view/changes.h"

#include <stdlib.h>

#include "base/mem.h"
#include "view/derive.h"

/* Returns the frame of the chosen node, or VIEW_NO_NODE after a message if that is the root. */
static uint32_t chosen_frame(viewer *v)
{
    const view_pane *pane = &v->places.now.pane;
    if (pane->selected != 0)
        return view_node(pane->graph, pane->selected)->frame;
    brz_buf_add_text(&v->message, "choose a frame first");
    return VIEW_NO_NODE;
}

/* Returns a step after those to the present place. */
static const view_step *step(viewer *v, view_step_kind kind, uint32_t frame)
{
    const view_place *now = &v->places.now;
    return view_step_add(&v->memory, now->step, kind, &now->pane.graph->tree, frame);
}

/* ---- the new place -------------------------------------------------------------------------- */

/* Shows nodes of a graph that the one before has shown. */
static void follow(view_pane *pane, const view_pane *before)
{
    pane->zoom = view_derive_follow(pane->graph, before->graph, before->zoom);
    pane->selected = view_derive_follow(pane->graph, before->graph, before->selected);
}

/* Shows the only callee of the root and what is beyond. */
static void go_beyond_root(view_pane *pane)
{
    pane->zoom = pane->selected = pane->first = 1;
}

/* Chooses what is shown of the graphs of a change. */
static void choose_nodes(const viewer *v, view_making *m)
{
    const view_place *now = &v->places.now;
    view_place *place = &m->place;
    switch (m->kind) {
    case VIEW_CHANGE_REVERSE:
        break;
    case VIEW_CHANGE_FOCUS:
        place->pane.selected = 1;
        break;
    case VIEW_CHANGE_SANDWICH:
        go_beyond_root(&place->pane);
        go_beyond_root(&place->other);
        break;
    case VIEW_CHANGE_ORDER:
    case VIEW_CHANGE_FOLD:
        if (place->in_callers != now->in_callers)
            view_place_switch(place);
        place->pane.first = now->pane.first;
        place->other.first = now->other.first;
        if (place->other.graph != NULL)
            follow(&place->other, &now->other);
        follow(&place->pane, &now->pane);
        break;
    default:
        follow(&place->pane, &now->pane);
        break;
    }
}

/* Appends the name of a weight, and its place among all. */
static void say_weight(viewer *v, const brz_tree *tree)
{
    const brz_column_info *column = brz_column_at(tree, tree->main_column);
    brz_buf_add_text(&v->message, "weight: ");
    brz_buf_add_str(&v->message, column->name);
    brz_buf_printf(&v->message, " (%u of %u)", tree->main_column + 1, tree->n_columns);
}

/* Says what a change has led to. */
static void say_result(viewer *v, const view_making *m)
{
    if (m->kind == VIEW_CHANGE_ORDER)
        brz_buf_add_text(&v->message,
                         m->place.order == VIEW_ORDER_NAME ? "order of names" : "heaviest first");
    if (m->kind == VIEW_CHANGE_WEIGHT)
        say_weight(v, &m->place.pane.graph->tree);
}

/* ---- making it ------------------------------------------------------------------------------ */

/* Gives up what folding has kept of a graph that has no runs: the present place owns it. */
static bool release_same(const view_pane *made, const view_pane *now)
{
    bool is_same = made->graph == now->graph;
    if (is_same)
        view_graph_destroy(made->graph);
    return is_same;
}

/* Shows folded graphs. Says if there are no runs to fold. */
static void show_folded(viewer *v, const view_making *m)
{
    view_places *places = &v->places;
    bool pane_is_same = release_same(&m->place.pane, &places->now.pane);
    bool other_is_same = release_same(&m->place.other, &places->now.other);
    if (pane_is_same && other_is_same) {
        brz_buf_add_text(&v->message, m->replaces ? "" : "no runs of unnamed frames");
    } else if (m->replaces) {
        view_place_leave(&places->now,
                         places->n_past > 0 ? &places->past[places->n_past - 1] : NULL);
        places->now = m->place;
        view_search_apply(&v->search, places->now.pane.graph);
    } else {
        viewer_enter(v, &m->place);
    }
}

bool view_change_is_due(const viewer *v)
{
    return v->making != NULL && view_making_is_done(v->making);
}

bool view_change_complete(viewer *v)
{
    view_making *m = v->making;
    if (!view_change_is_due(v))
        return false;
    view_making_wait(m);
    v->making = NULL;
    brz_buf_clear(&v->message);
    if (m->place.pane.graph == NULL) {
        brz_buf_add_text(&v->message, "the next weight has losses: -w shows it");
    } else {
        choose_nodes(v, m);
        if (m->kind == VIEW_CHANGE_FOLD)
            show_folded(v, m);
        else
            viewer_enter(v, &m->place);
        say_result(v, m);
    }
    if (v->mode == VIEW_TABLE)
        view_table_replace(&v->table, v->places.now.pane.graph);
    free(m);
    return true;
}

void view_change_cancel(viewer *v)
{
    if (v->making == NULL)
        return;
    view_making_cancel(v->making);
    free(v->making);
    v->making = NULL;
}

static void say_busy(viewer *v)
{
    brz_buf_add_text(&v->message, "the last change is still being made; Backspace cancels it");
}

/* Starts a change of the graph of the present place, or of another one, in place of one that the
 * user has not asked for. */
static void start(viewer *v, const view_making *change)
{
    if (v->making != NULL && v->making->replaces)
        view_change_cancel(v);
    if (v->making != NULL) {
        say_busy(v);
        return;
    }
    v->making = brz_malloc(sizeof *v->making);
    *v->making = *change;
    view_making_start(v->making);
    if (!view_change_complete(v) && !change->replaces)
        brz_buf_add_text(&v->message, "the picture is being made; Backspace cancels this");
}

/* Returns a change after which the order is the same. */
static view_making change_of(const viewer *v, view_change_kind kind, const view_step *to)
{
    const view_place *now = &v->places.now;
    return (view_making){.kind = kind,
                         .from = view_graph_unfolded(now->pane.graph),
                         .place = {.order = now->order, .is_open = now->is_open, .step = to}};
}

/* ---- changes -------------------------------------------------------------------------------- */

/* Returns why there is no other weight to show, or NULL. */
static const char *lacks_weights(const brz_tree *tree)
{
    if (tree->before != BRZ_NO_COLUMN)
        return "a comparison has one weight";
    if (tree->n_columns < 2)
        return "the profile has one weight";
    return tree->flags & BRZ_TREE_TIME_ORDER ? "a flame chart has one weight" : NULL;
}

void view_change_weight(viewer *v)
{
    const view_place *first = v->places.n_past > 0 ? &v->places.past[0] : &v->places.now;
    const brz_tree *tree = &v->places.now.pane.graph->tree;
    const char *why = lacks_weights(&first->pane.graph->tree);
    if (why != NULL) {
        brz_buf_add_text(&v->message, why);
        return;
    }
    uint32_t column = (tree->main_column + 1) % tree->n_columns;
    view_making m = change_of(v, VIEW_CHANGE_WEIGHT, view_step_weight(&v->memory, column));
    m.from = view_graph_unfolded(first->pane.graph);
    m.column = column;
    start(v, &m);
}

void view_change_order(viewer *v)
{
    const view_place *now = &v->places.now;
    if (now->pane.graph->tree.flags & BRZ_TREE_TIME_ORDER) {
        brz_buf_add_text(&v->message, "a flame chart is in the order of time");
        return;
    }
    view_making m = change_of(v, VIEW_CHANGE_ORDER, now->step);
    m.other = now->other.graph == NULL ? NULL : view_graph_unfolded(now->other.graph);
    m.place.order = now->order == VIEW_ORDER_NAME ? VIEW_ORDER_WEIGHT : VIEW_ORDER_NAME;
    m.place.in_callers = now->in_callers;
    start(v, &m);
}

void view_change_reverse(viewer *v)
{
    const view_making m = change_of(v, VIEW_CHANGE_REVERSE, step(v, VIEW_STEP_REVERSE, 0));
    start(v, &m);
}

void view_change_hide(viewer *v)
{
    uint32_t frame = chosen_frame(v);
    if (frame == VIEW_NO_NODE)
        return;
    view_making m = change_of(v, VIEW_CHANGE_HIDE, step(v, VIEW_STEP_HIDE, frame));
    m.frame = frame;
    start(v, &m);
}

void view_change_focus(viewer *v)
{
    uint32_t frame = chosen_frame(v);
    if (frame == VIEW_NO_NODE)
        return;
    view_making m = change_of(v, VIEW_CHANGE_FOCUS, step(v, VIEW_STEP_FOCUS, frame));
    m.frame = frame;
    start(v, &m);
}

/* Returns the first graph that has shown the weight of the present one. */
static view_graph *whole_of(const viewer *v)
{
    view_graph *now = v->places.now.pane.graph, *whole = now;
    for (size_t i = v->places.n_past; i-- > 0;) {
        view_graph *before = v->places.past[i].pane.graph;
        if (before->tree.main_column != now->tree.main_column)
            break;
        whole = before;
    }
    return view_graph_unfolded(whole);
}

void view_change_sandwich(viewer *v, uint32_t frame)
{
    view_graph *whole = whole_of(v);
    const view_step *first = view_step_of_weight(v->places.now.step);
    view_making m =
        change_of(v, VIEW_CHANGE_SANDWICH,
                  view_step_add(&v->memory, first, VIEW_STEP_SANDWICH, &whole->tree, frame));
    m.from = whole;
    m.frame = frame;
    start(v, &m);
}

void view_change_sandwich_chosen(viewer *v)
{
    uint32_t frame = chosen_frame(v);
    if (frame != VIEW_NO_NODE)
        view_change_sandwich(v, frame);
}

/* ---- runs of unnamed frames ----------------------------------------------------------------- */

/* Returns a change that folds the runs of the present graphs. */
static view_making folding(const viewer *v)
{
    const view_place *now = &v->places.now;
    view_making m = change_of(v, VIEW_CHANGE_FOLD, now->step);
    view_graph_keep(m.from);
    m.other = now->other.graph == NULL ? NULL : view_graph_keep(now->other.graph);
    m.place.is_open = false;
    m.place.in_callers = now->in_callers;
    return m;
}

void view_change_begin(viewer *v)
{
    view_making m = folding(v);
    m.replaces = true;
    start(v, &m);
}

static bool is_folded(const view_pane *pane)
{
    return pane->graph != NULL && pane->graph->base != NULL;
}

/* Shows each frame of the runs of a pane. */
static void open_pane(view_pane *to, const view_pane *from)
{
    *to = *from;
    if (!is_folded(from))
        return;
    to->graph = view_graph_keep(from->graph->base);
    follow(to, from);
}

/* Shows each frame of runs. */
static void open_runs(viewer *v)
{
    const view_place *now = &v->places.now;
    view_place place = *now;
    place.is_open = true;
    open_pane(&place.pane, &now->pane);
    open_pane(&place.other, &now->other);
    viewer_enter(v, &place);
}

void view_change_runs(viewer *v)
{
    const view_place *now = &v->places.now;
    if (v->making != NULL) {
        say_busy(v);
    } else if (is_folded(&now->pane) || is_folded(&now->other)) {
        open_runs(v);
    } else {
        const view_making m = folding(v);
        start(v, &m);
    }
}

bool view_change_open_run(viewer *v)
{
    const view_pane *pane = &v->places.now.pane;
    if (v->making != NULL || view_run(pane->graph, pane->selected) < 2)
        return false;
    open_runs(v);
    v->places.now.pane.zoom = v->places.now.pane.selected;
    v->places.now.pane.first = 0;
    return true;
}
