/* SPDX-License-Identifier: MIT */
/* Keeps what the viewer shows from one profile to the next. */
#include "view/memory.h"

#include <stdlib.h>
#include <string.h>

#include <brazier/symbol.h>

#include "base/mem.h"

/* Number of places before the present one that are kept: each has a graph to make. */
#define PAST_MAX 8

static view_place *place_at(view_places *p, size_t i)
{
    return i < p->n_past ? &p->past[i] : &p->now;
}

/* ---- keeping ------------------------------------------------------------------------------- */

/* Forgets the oldest places. */
static void limit_past(view_places *p)
{
    size_t n = p->n_past > PAST_MAX ? p->n_past - PAST_MAX : 0;
    for (size_t i = 0; i < n; i++)
        view_place_leave(&p->past[i], place_at(p, i + 1));
    if (n > 0)
        memmove(p->past, p->past + n, PAST_MAX * sizeof *p->past);
    p->n_past -= n;
}

/* Keeps a node. If it was the end of a way of which the graph lacks the rest, keeps all of that
 * way, `old`: a newer profile may have it. */
static void keep_node(view_kept_node *k, view_kept_node *old, const view_graph *g, uint32_t node)
{
    if (old != NULL && old->node == node) {
        k->path = old->path;
        old->path = (brz_buf){0};
    } else {
        view_path_add(&k->path, g, node);
    }
}

/* `old` is what the place has shown in the graphs that are left, or NULL. */
static void keep_place(view_kept_place *k, view_kept_place *old, const view_place *place)
{
    const view_pane *pane = &place->pane, *other = &place->other;
    keep_node(&k->zoom, old == NULL ? NULL : &old->zoom, pane->graph, pane->zoom);
    keep_node(&k->selected, old == NULL ? NULL : &old->selected, pane->graph, pane->selected);
    if (other->graph == NULL)
        return;
    keep_node(&k->other_zoom, NULL, other->graph, other->zoom);
    keep_node(&k->other_selected, NULL, other->graph, other->selected);
}

static void keep_search(view_memory *m, viewer *v)
{
    m->searches = v->search.pattern != NULL;
    if (m->searches)
        brz_buf_add_str(&m->expression, brz_pattern_text(v->search.pattern));
    view_search_clear(&v->search);
}

static void keep_row(view_memory *m, const view_table *t)
{
    if (t->n == 0)
        return;
    const brz_frame_info *f = brz_frame_at(&t->graph->tree, t->rows[t->selected].frame);
    brz_buf_add_str(&m->row_name, f->name);
    brz_buf_add_str(&m->row_module, f->module);
}

void view_memory_keep(view_memory *m, viewer *v)
{
    view_places *p = &v->places;
    view_memory old = *m;
    bool is_same = old.n_places == p->n_past + 1; /* the user has gone nowhere */
    *m = (view_memory){0};
    limit_past(p);
    m->n_places = p->n_past + 1;
    m->places = brz_calloc(m->n_places, sizeof *m->places);
    for (size_t i = 0; i <= p->n_past; i++)
        keep_place(&m->places[i], is_same ? &old.places[i] : NULL, place_at(p, i));
    if (v->mode == VIEW_TABLE)
        keep_row(m, &v->table);
    keep_search(m, v);
    for (size_t i = 0; i <= p->n_past; i++)
        view_place_leave(place_at(p, i), i < p->n_past ? place_at(p, i + 1) : NULL);
    view_memory_finish(&old);
}

/* ---- restoring ----------------------------------------------------------------------------- */

static uint32_t follow(view_kept_node *k, const view_graph *g)
{
    k->node = view_path_follow(&k->path, g);
    return k->node;
}

/* Makes the graphs of a place, or shares those of the place before. */
static void make_graphs(view_place *place, const view_place *before, const brz_tree *tree)
{
    view_graph *callers = NULL;
    if (before != NULL && before->step == place->step && before->order == place->order &&
        before->is_open == place->is_open) {
        bool is_turned = before->in_callers != place->in_callers;
        place->pane.graph = is_turned ? before->other.graph : before->pane.graph;
        place->other.graph = is_turned ? before->pane.graph : before->other.graph;
        return;
    }
    view_graph *graph = view_steps_follow(place->step, tree, place->order, &callers);
    if (!place->is_open) {
        graph = view_derive_fold(graph, place->order, NULL);
        callers = callers == NULL ? NULL : view_derive_fold(callers, place->order, NULL);
    }
    place->pane.graph = place->in_callers && callers != NULL ? callers : graph;
    place->other.graph = place->in_callers && callers != NULL ? graph : callers;
}

static void restore_place(view_place *place, view_kept_place *k)
{
    place->pane.zoom = follow(&k->zoom, place->pane.graph);
    place->pane.selected = follow(&k->selected, place->pane.graph);
    if (place->other.graph == NULL)
        return;
    place->other.zoom = follow(&k->other_zoom, place->other.graph);
    place->other.selected = follow(&k->other_selected, place->other.graph);
}

static void restore_search(view_memory *m, viewer *v)
{
    if (m->searches)
        view_search_start(&v->search, v->places.now.pane.graph, brz_buf_str(&m->expression),
                          &v->message);
}

static void restore_table(view_memory *m, viewer *v)
{
    view_table *t = &v->table;
    uint32_t top = t->top;
    if (v->mode == VIEW_TABLE)
        view_table_fill(t, v->places.now.pane.graph);
    for (uint32_t i = 0; v->mode == VIEW_TABLE && i < t->n; i++) {
        const brz_frame_info *f = brz_frame_at(&t->graph->tree, t->rows[i].frame);
        if (brz_str_equal(f->name, brz_buf_str(&m->row_name)) &&
            brz_str_equal(f->module, brz_buf_str(&m->row_module)))
            t->selected = i;
    }
    t->top = top < t->n ? top : 0;
}

void view_memory_restore(view_memory *m, viewer *v, const brz_tree *tree)
{
    view_places *p = &v->places;
    for (size_t i = 0; i <= p->n_past; i++) {
        make_graphs(place_at(p, i), i > 0 ? place_at(p, i - 1) : NULL, tree);
        restore_place(place_at(p, i), &m->places[i]);
    }
    restore_search(m, v);
    restore_table(m, v);
}

void view_memory_finish(view_memory *m)
{
    for (size_t i = 0; i < m->n_places; i++) {
        view_kept_place *k = &m->places[i];
        brz_buf_finish(&k->zoom.path);
        brz_buf_finish(&k->selected.path);
        brz_buf_finish(&k->other_zoom.path);
        brz_buf_finish(&k->other_selected.path);
    }
    free(m->places);
    brz_buf_finish(&m->expression);
    brz_buf_finish(&m->row_name);
    brz_buf_finish(&m->row_module);
    *m = (view_memory){0};
}
