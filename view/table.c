/* SPDX-License-Identifier: MIT */
/* The functions of a graph with their weights. */
#include "view/table.h"

#include <stdlib.h>

#include <brazier/symbol.h>

#include "base/mem.h"

bool view_table_compares(const view_table *t)
{
    return t->graph->tree.changes != NULL && t->graph->tree.before != BRZ_NO_COLUMN;
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* Adds a node to the row of its function. *end is the end of the outermost of its nodes so far. */
static void add_node(const view_graph *g, uint32_t i, view_row *row, uint32_t *end)
{
    const brz_node *node = view_node(g, i);
    if (row->node == 0 || node->total > view_node(g, row->node)->total)
        row->node = i;
    row->frame = node->frame;
    row->self = view_sum(row->self, brz_signed_self(&g->tree, i));
    if (i < *end)
        return;
    *end = i + node->subtree;
    row->total = view_sum(row->total, brz_signed_total(&g->tree, i));
    if (g->tree.changes != NULL) {
        const brz_change *c = brz_change_at(&g->tree, i);
        row->change =
            view_sum(row->change, view_sum(c->after_total, -brz_size_of(c->before_total)));
    }
}

/* Moves the rows of functions that occur to the front. Returns their number. */
static uint32_t pack(view_row *rows, uint32_t n)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++)
        if (rows[i].node != 0)
            rows[kept++] = rows[i];
    return kept;
}

static void add_up(view_table *t)
{
    const view_graph *g = t->graph;
    uint32_t *ends = brz_calloc(g->tree.n_frames + (size_t)1, sizeof *ends);
    t->rows = brz_calloc(g->tree.n_frames + (size_t)1, sizeof *t->rows);
    for (uint32_t i = 1; i < g->tree.n_nodes; i++) {
        uint32_t frame = view_node(g, i)->frame;
        add_node(g, i, &t->rows[frame], &ends[frame]);
    }
    t->n = pack(t->rows, g->tree.n_frames);
    free(ends);
}

/* ---- order --------------------------------------------------------------------------------- */

/* A row with what it is sorted by. */
typedef struct keyed_row {
    int64_t size;
    brz_str name;
    view_row row;
} keyed_row;

static int64_t size_by(view_sort sort, const view_row *row)
{
    switch (sort) {
    case VIEW_SORT_SELF:
        return brz_size_of(row->self);
    case VIEW_SORT_TOTAL:
        return brz_size_of(row->total);
    case VIEW_SORT_CHANGE:
        return brz_size_of(row->change);
    default:
        return 0;
    }
}

static int compare_rows(const void *left, const void *right)
{
    const keyed_row *a = left, *b = right;
    if (a->size != b->size)
        return a->size > b->size ? -1 : 1;
    int order = brz_str_compare(a->name, b->name);
    if (order != 0)
        return order;
    return a->row.frame < b->row.frame ? -1 : a->row.frame > b->row.frame;
}

static void sort_rows(view_table *t)
{
    keyed_row *rows = brz_malloc((t->n + (size_t)1) * sizeof *rows);
    for (uint32_t i = 0; i < t->n; i++)
        rows[i] = (keyed_row){size_by(t->sort, &t->rows[i]),
                              brz_frame_at(&t->graph->tree, t->rows[i].frame)->name, t->rows[i]};
    qsort(rows, t->n, sizeof *rows, compare_rows);
    for (uint32_t i = 0; i < t->n; i++)
        t->rows[i] = rows[i].row;
    free(rows);
}

static uint32_t chosen_frame(const view_table *t)
{
    return t->n > 0 ? t->rows[t->selected].frame : 0;
}

/* Chooses the row of a function, if there is one. */
static void choose_frame(view_table *t, uint32_t frame)
{
    for (uint32_t i = 0; i < t->n; i++)
        if (t->rows[i].frame == frame)
            t->selected = i;
}

void view_table_fill(view_table *t, const view_graph *g)
{
    free(t->rows);
    t->graph = g;
    t->selected = t->top = 0;
    if (t->sort == VIEW_SORT_CHANGE && !view_table_compares(t))
        t->sort = VIEW_SORT_SELF;
    add_up(t);
    sort_rows(t);
}

void view_table_replace(view_table *t, const view_graph *g)
{
    uint32_t frame = chosen_frame(t), top = t->top;
    view_table_fill(t, g);
    choose_frame(t, frame);
    t->top = top < t->n ? top : 0;
}

void view_table_finish(view_table *t)
{
    free(t->rows);
    *t = (view_table){.n = 0};
}

void view_table_sort_next(view_table *t)
{
    uint32_t frame = chosen_frame(t);
    t->sort = t->sort == VIEW_SORT_NAME ? VIEW_SORT_SELF : t->sort + 1;
    if (t->sort == VIEW_SORT_CHANGE && !view_table_compares(t))
        t->sort = VIEW_SORT_NAME;
    sort_rows(t);
    choose_frame(t, frame);
}

void view_table_move(view_table *t, int64_t rows)
{
    int64_t to = (int64_t)t->selected + rows, last = t->n > 0 ? (int64_t)t->n - 1 : 0;
    t->selected = (uint32_t)(to < 0 ? 0 : to > last ? last : to);
}
