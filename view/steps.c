/* SPDX-License-Identifier: MIT */
/* The way from the graph of a profile to the one that is shown. */
#include "view/steps.h"

#include <string.h>

#include <brazier/symbol.h>

/* Most steps that are gone again; the first ones are left out. */
#define STEPS_MAX 64

const view_step *view_step_add(brz_arena *memory, const view_step *before, view_step_kind kind,
                               const brz_tree *tree, uint32_t frame)
{
    view_step *s = brz_arena_alloc(memory, sizeof *s, 0);
    *s = (view_step){.before = before, .kind = kind};
    if (kind == VIEW_STEP_REVERSE)
        return s;
    const brz_frame_info *f = brz_frame_at(tree, frame);
    s->name = brz_arena_str(memory, f->name);
    s->module = brz_arena_str(memory, f->module);
    return s;
}

const view_step *view_step_weight(brz_arena *memory, uint32_t column)
{
    view_step *s = brz_arena_alloc(memory, sizeof *s, 0);
    *s = (view_step){.kind = VIEW_STEP_WEIGHT, .column = column};
    return s;
}

const view_step *view_step_of_weight(const view_step *s)
{
    while (s != NULL && s->kind != VIEW_STEP_WEIGHT)
        s = s->before;
    return s;
}

/* ---- following ------------------------------------------------------------------------------ */

static bool is_frame(const brz_frame_info *f, brz_str name, brz_str module)
{
    return brz_str_equal(f->name, name) && brz_str_equal(f->module, module);
}

/* Returns the frame that a step names, or VIEW_NO_NODE. */
static uint32_t frame_of(const view_step *s, const brz_tree *tree)
{
    for (uint32_t i = 0; i < tree->n_frames; i++)
        if (is_frame(brz_frame_at(tree, i), s->name, s->module))
            return i;
    return VIEW_NO_NODE;
}

/* Returns the graph after a step, or NULL if it leads nowhere. */
static view_graph *take_step(const view_step *s, const view_graph *g, view_order order)
{
    switch (s->kind) {
    case VIEW_STEP_WEIGHT:
        return s->column < g->tree.n_columns ? view_derive_weight(g, s->column, order, NULL) : NULL;
    case VIEW_STEP_REVERSE:
        return view_derive_reverse(g, order, NULL);
    case VIEW_STEP_HIDE:
        return view_derive_hide(g, frame_of(s, &g->tree), order, NULL);
    default:
        return view_derive_callees(g, frame_of(s, &g->tree), order, NULL);
    }
}

/* Stores the last steps, the first of them first. Returns their number. */
static size_t list_steps(const view_step *s, const view_step *steps[STEPS_MAX])
{
    size_t n = 0, at;
    for (const view_step *i = s; i != NULL && n < STEPS_MAX; i = i->before)
        n++;
    at = n;
    for (; at > 0; s = s->before)
        steps[--at] = s;
    return n;
}

static view_graph *begin(const brz_tree *tree, view_order order)
{
    view_graph *g = view_graph_create(tree);
    if (order == VIEW_ORDER_NAME || (tree->flags & BRZ_TREE_TIME_ORDER) != 0)
        return g;
    view_graph *ordered = view_derive_order(g, order, NULL);
    view_graph_destroy(g);
    return ordered;
}

view_graph *view_steps_follow(const view_step *s, const brz_tree *tree, view_order order,
                              view_graph **callers)
{
    const view_step *steps[STEPS_MAX];
    size_t n = list_steps(s, steps);
    view_graph *g = begin(tree, n > 0 ? VIEW_ORDER_NAME : order);
    *callers = NULL;
    for (size_t i = 0; i < n; i++) {
        if (i + 1 == n && steps[i]->kind == VIEW_STEP_SANDWICH)
            *callers = view_derive_callers(g, frame_of(steps[i], &g->tree), order, NULL);
        view_graph *next = take_step(steps[i], g, order);
        if (next == NULL)
            continue;
        view_graph_destroy(g);
        g = next;
    }
    return g;
}

/* ---- paths --------------------------------------------------------------------------------- */

/* Appends a text with its length. */
static void add_text(brz_buf *path, brz_str s)
{
    brz_buf_add(path, (const char *)&s.len, sizeof s.len);
    brz_buf_add(path, s.data, s.len);
}

void view_path_add(brz_buf *path, const view_graph *g, uint32_t node)
{
    for (uint32_t depth = 1; depth <= view_node(g, node)->depth; depth++) {
        const brz_frame_info *f = view_frame(g, view_graph_ancestor(g, node, depth));
        add_text(path, f->name);
        add_text(path, f->module);
    }
}

static brz_str take_text(const brz_buf *path, size_t *at)
{
    brz_str s;
    memcpy(&s.len, path->data + *at, sizeof s.len);
    s.data = path->data + *at + sizeof s.len;
    *at += sizeof s.len + s.len;
    return s;
}

static uint32_t callee_named(const view_graph *g, uint32_t node, brz_str name, brz_str module)
{
    uint32_t end = node + view_node(g, node)->subtree;
    for (uint32_t i = node + 1; i < end; i += view_node(g, i)->subtree)
        if (is_frame(view_frame(g, i), name, module))
            return i;
    return VIEW_NO_NODE;
}

uint32_t view_path_follow(const brz_buf *path, const view_graph *g)
{
    uint32_t node = 0;
    for (size_t at = 0; at < path->len;) {
        brz_str name = take_text(path, &at), module = take_text(path, &at);
        uint32_t callee = callee_named(g, node, name, module);
        if (callee == VIEW_NO_NODE)
            break;
        node = callee;
    }
    return node;
}
