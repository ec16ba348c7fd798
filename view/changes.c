/* Changes what is shown. */
#include "view/changes.h"

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

/* Shows a graph at the nodes that the one before has shown. */
static void enter(viewer *v, view_graph *graph, const view_step *to)
{
    const view_place *now = &v->places.now;
    const view_pane *from = &now->pane;
    view_place place = {.pane = {.graph = graph}, .order = now->order, .step = to};
    place.pane.zoom = view_derive_follow(graph, from->graph, from->zoom);
    place.pane.selected = view_derive_follow(graph, from->graph, from->selected);
    viewer_enter(v, &place);
}

/* Appends the name of a weight, and its place among all. */
static void say_weight(viewer *v, const brz_tree *tree)
{
    const brz_column_info *column = brz_column_at(tree, tree->main_column);
    brz_buf_add_text(&v->message, "weight: ");
    brz_buf_add_str(&v->message, column->name);
    brz_buf_printf(&v->message, " (%u of %u)", tree->main_column + 1, tree->n_columns);
}

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
    view_order order = v->places.now.order;
    view_graph *graph = NULL;
    if (why == NULL) {
        uint32_t column = (tree->main_column + 1) % tree->n_columns;
        graph = view_derive_weight(first->pane.graph, column, order);
        why = "the next weight has losses: -w shows it";
    }
    if (graph == NULL) {
        brz_buf_add_text(&v->message, why);
        return;
    }
    enter(v, graph, view_step_weight(&v->memory, graph->tree.main_column));
    say_weight(v, &graph->tree);
}

static view_pane reorder(const view_pane *pane, view_order order)
{
    view_pane p = {.first = pane->first};
    p.graph = view_derive_order(pane->graph, order);
    p.zoom = view_derive_follow(p.graph, pane->graph, pane->zoom);
    p.selected = view_derive_follow(p.graph, pane->graph, pane->selected);
    return p;
}

void view_change_order(viewer *v)
{
    const view_place *now = &v->places.now;
    view_place place = {.in_callers = now->in_callers, .step = now->step};
    if (now->pane.graph->tree.flags & BRZ_TREE_TIME_ORDER) {
        brz_buf_add_text(&v->message, "a flame chart is in the order of time");
        return;
    }
    place.order = now->order == VIEW_ORDER_NAME ? VIEW_ORDER_WEIGHT : VIEW_ORDER_NAME;
    place.pane = reorder(&now->pane, place.order);
    if (now->other.graph != NULL)
        place.other = reorder(&now->other, place.order);
    viewer_enter(v, &place);
    brz_buf_add_text(&v->message,
                     place.order == VIEW_ORDER_NAME ? "order of names" : "heaviest first");
}

void view_change_reverse(viewer *v)
{
    const view_place *now = &v->places.now;
    view_place place = {.order = now->order, .step = step(v, VIEW_STEP_REVERSE, 0)};
    place.pane.graph = view_derive_reverse(now->pane.graph, now->order);
    viewer_enter(v, &place);
}

void view_change_hide(viewer *v)
{
    const view_place *now = &v->places.now;
    uint32_t frame = chosen_frame(v);
    if (frame != VIEW_NO_NODE)
        enter(v, view_derive_hide(now->pane.graph, frame, now->order),
              step(v, VIEW_STEP_HIDE, frame));
}

void view_change_focus(viewer *v)
{
    const view_place *now = &v->places.now;
    uint32_t frame = chosen_frame(v);
    view_place place = {.order = now->order};
    if (frame == VIEW_NO_NODE)
        return;
    place.step = step(v, VIEW_STEP_FOCUS, frame);
    place.pane.graph = view_derive_callees(now->pane.graph, frame, now->order);
    place.pane.selected = 1;
    viewer_enter(v, &place);
}

/* Returns the first graph that has shown the weight of the present one. */
static const view_graph *whole_of(const viewer *v)
{
    const view_graph *now = v->places.now.pane.graph, *whole = now;
    for (size_t i = v->places.n_past; i-- > 0;) {
        const view_graph *before = v->places.past[i].pane.graph;
        if (before->tree.main_column != now->tree.main_column)
            break;
        whole = before;
    }
    return whole;
}

/* Returns a pane that shows the only callee of the root and what is beyond. */
static view_pane beyond_root(view_graph *graph)
{
    return (view_pane){.graph = graph, .zoom = 1, .selected = 1, .first = 1};
}

void view_change_sandwich(viewer *v, uint32_t frame)
{
    const view_place *now = &v->places.now;
    const view_graph *whole = whole_of(v);
    view_place place = {.order = now->order};
    place.step = view_step_add(&v->memory, view_step_of_weight(now->step), VIEW_STEP_SANDWICH,
                               &whole->tree, frame);
    place.pane = beyond_root(view_derive_callees(whole, frame, now->order));
    place.other = beyond_root(view_derive_callers(whole, frame, now->order));
    viewer_enter(v, &place);
}

void view_change_sandwich_chosen(viewer *v)
{
    uint32_t frame = chosen_frame(v);
    if (frame != VIEW_NO_NODE)
        view_change_sandwich(v, frame);
}
