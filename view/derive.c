/* SPDX-License-Identifier: MIT */
/* Makes graphs of another one. */
#include "view/derive.h"

#include <brazier/symbol.h>
#include <stdlib.h>

#include "base/mem.h"
#include "names/unnamed.h"

/* Number of nodes after which a loop looks whether it is to stop. */
#define PATIENCE 1024

static bool is_stopped(const atomic_bool *stop, uint32_t i)
{
    return stop != NULL && i % PATIENCE == 0 && atomic_load(stop);
}

/* Returns the graph, or NULL after it is dropped if it is not needed any more. */
static view_graph *finish(view_builder *b, view_order order, const atomic_bool *stop)
{
    if (stop == NULL || !atomic_load(stop))
        return view_builder_finish(b, order);
    view_builder_drop(b);
    return NULL;
}

/* Returns a graph in which each node follows its caller, except those of one frame. */
static view_graph *copy_without(const view_graph *g, uint32_t hidden, view_order order,
                                const atomic_bool *stop)
{
    view_builder b;
    view_builder_init(&b, g);
    uint32_t n = g->tree.n_nodes, *copies = brz_malloc((n + (size_t)1) * sizeof *copies);
    copies[0] = 0;
    view_builder_add_self(&b, 0, 0);
    for (uint32_t i = 1; i < n && !is_stopped(stop, i); i++) {
        const brz_node *node = view_node(g, i);
        copies[i] = copies[node->parent];
        if (node->frame != hidden)
            copies[i] = view_builder_callee(&b, copies[i], node->frame);
        view_builder_add_self(&b, copies[i], i);
    }
    free(copies);
    return finish(&b, order, stop);
}

view_graph *view_derive_order(const view_graph *g, view_order order, const atomic_bool *stop)
{
    return copy_without(g, VIEW_NO_NODE, order, stop);
}

view_graph *view_derive_hide(const view_graph *g, uint32_t frame, view_order order,
                             const atomic_bool *stop)
{
    return copy_without(g, frame, order, stop);
}

/* Returns the node of the stack from a node to the root. */
static uint32_t add_reversed(view_builder *b, const view_graph *g, uint32_t node)
{
    uint32_t to = 0;
    for (; node != 0; node = view_node(g, node)->parent)
        to = view_builder_callee(b, to, view_node(g, node)->frame);
    return to;
}

static bool has_self(const view_graph *g, uint32_t node)
{
    if (view_node(g, node)->self != 0)
        return true;
    if (g->tree.changes == NULL)
        return false;
    const brz_change *c = brz_change_at(&g->tree, node);
    return c->before_self != 0 || c->after_self != 0;
}

view_graph *view_derive_reverse(const view_graph *g, view_order order, const atomic_bool *stop)
{
    view_builder b;
    view_builder_init(&b, g);
    for (uint32_t i = 0; i < g->tree.n_nodes && !is_stopped(stop, i); i++)
        if (has_self(g, i))
            view_builder_add_self(&b, add_reversed(&b, g, i), i);
    return finish(&b, order, stop);
}

view_graph *view_derive_callees(const view_graph *g, uint32_t frame, view_order order,
                                const atomic_bool *stop)
{
    view_builder b;
    view_builder_init(&b, g);
    uint32_t n = g->tree.n_nodes, *copies = brz_calloc(n + (size_t)1, sizeof *copies);
    for (uint32_t i = 1; i < n && !is_stopped(stop, i); i++) {
        const brz_node *node = view_node(g, i);
        if (copies[node->parent] == 0 && node->frame != frame)
            continue;
        copies[i] = view_builder_callee(&b, copies[node->parent], node->frame);
        view_builder_add_self(&b, copies[i], i);
    }
    free(copies);
    return finish(&b, order, stop);
}

view_graph *view_derive_callers(const view_graph *g, uint32_t frame, view_order order,
                                const atomic_bool *stop)
{
    view_builder b;
    view_builder_init(&b, g);
    for (uint32_t i = 1, k = 1; i < g->tree.n_nodes && !is_stopped(stop, k); k++) {
        if (view_node(g, i)->frame != frame) {
            i++;
            continue;
        }
        view_builder_add_total(&b, add_reversed(&b, g, i), i);
        i += view_node(g, i)->subtree; /* a function that calls itself counts once */
    }
    return finish(&b, order, stop);
}

static bool has_losses(const brz_tree *tree, uint32_t column)
{
    for (uint32_t i = 0; i < tree->n_stacks; i++)
        if (brz_stack_at(tree, i)->values[column] < 0)
            return true;
    return false;
}

/* Returns the node of a stack. */
static uint32_t add_stack(view_builder *b, const brz_stack_info *stack)
{
    uint32_t node = 0;
    for (uint32_t i = 0; i < stack->n; i++)
        node = view_builder_callee(b, node, stack->frames[i]);
    return node;
}

view_graph *view_derive_weight(const view_graph *g, uint32_t column, view_order order,
                               const atomic_bool *stop)
{
    const brz_tree *tree = &g->tree;
    view_builder b;
    if (tree->changes == NULL && has_losses(tree, column))
        return NULL;
    view_builder_init(&b, g);
    for (uint32_t i = 0; i < tree->n_stacks && !is_stopped(stop, i); i++) {
        const brz_stack_info *stack = brz_stack_at(tree, i);
        if (stack->values[column] != 0)
            view_builder_add_value(&b, add_stack(&b, stack), stack->values[column]);
    }
    view_graph *made = finish(&b, order, stop);
    if (made == NULL)
        return NULL;
    made->tree.main_column = column;
    made->whole = view_node(made, 0)->total;
    return made;
}

/* ---- runs of unnamed frames ----------------------------------------------------------------- */

static bool is_unnamed(const brz_tree *tree, uint32_t frame)
{
    return brz_name_is_unnamed(brz_display_name(brz_frame_at(tree, frame)));
}

/* Returns which frames have no name. */
static uint8_t *find_unnamed(const brz_tree *tree, const atomic_bool *stop)
{
    uint8_t *unnamed = brz_calloc(tree->n_frames + (size_t)1, sizeof *unnamed);
    for (uint32_t i = 0; i < tree->n_frames && !is_stopped(stop, i); i++)
        unnamed[i] = is_unnamed(tree, i);
    return unnamed;
}

/* Returns whether a node is a further frame of the run of its caller. */
static bool is_next_in_run(const view_graph *g, const uint8_t *unnamed, uint32_t i)
{
    const brz_node *n = view_node(g, i);
    return n->parent != 0 && unnamed[n->frame] &&
           brz_str_equal(view_name(g, i), view_name(g, n->parent));
}

static bool has_runs(const view_graph *g, const uint8_t *unnamed, const atomic_bool *stop)
{
    for (uint32_t i = 1; i < g->tree.n_nodes && !is_stopped(stop, i); i++)
        if (is_next_in_run(g, unnamed, i))
            return true;
    return false;
}

static view_graph *fold(view_graph *g, const uint8_t *unnamed, view_order order,
                        const atomic_bool *stop)
{
    view_builder b;
    view_builder_init(&b, g);
    uint32_t n = g->tree.n_nodes, *copies = brz_malloc(n * sizeof *copies);
    uint32_t *lengths = brz_calloc(n, sizeof *lengths); /* of runs so far */
    b.runs = brz_calloc(n, sizeof *b.runs);
    copies[0] = 0;
    b.runs[0] = 1;
    view_builder_add_self(&b, 0, 0);
    for (uint32_t i = 1; i < n && !is_stopped(stop, i); i++) {
        const brz_node *node = view_node(g, i);
        bool is_next = is_next_in_run(g, unnamed, i);
        lengths[i] = is_next ? lengths[node->parent] + 1 : 1;
        copies[i] = copies[node->parent];
        if (!is_next)
            copies[i] = view_builder_callee(&b, copies[i], node->frame);
        if (b.runs[copies[i]] < lengths[i])
            b.runs[copies[i]] = lengths[i];
        view_builder_add_self(&b, copies[i], i);
    }
    free(copies);
    free(lengths);
    return finish(&b, order, stop);
}

view_graph *view_derive_fold(view_graph *g, view_order order, const atomic_bool *stop)
{
    if (g->tree.flags & BRZ_TREE_TIME_ORDER)
        return g;
    uint8_t *unnamed = find_unnamed(&g->tree, stop);
    view_graph *folded = has_runs(g, unnamed, stop) ? fold(g, unnamed, order, stop) : g;
    free(unnamed);
    if (folded != NULL && folded != g)
        folded->base = g;
    if (folded != NULL && !is_stopped(stop, 0))
        return folded;
    view_graph_destroy(folded != NULL ? folded : g);
    return NULL;
}

/* ---- nodes of other graphs ------------------------------------------------------------------ */

/* Returns the callee of a node with this frame, or VIEW_NO_NODE. */
static uint32_t callee_of(const view_graph *g, uint32_t node, uint32_t frame)
{
    uint32_t end = node + view_node(g, node)->subtree;
    for (uint32_t i = node + 1; i < end; i += view_node(g, i)->subtree)
        if (view_node(g, i)->frame == frame)
            return i;
    return VIEW_NO_NODE;
}

/* Returns the node to which a frame leads from a node of a run: the node itself if that stands for
 * the run, or the callee of one of its further frames; or VIEW_NO_NODE. */
static uint32_t follow_in_run(const view_graph *g, uint32_t at, uint32_t frame)
{
    uint32_t own = view_node(g, at)->frame;
    if (at == 0 || !is_unnamed(&g->tree, own))
        return VIEW_NO_NODE;
    if (frame == own)
        return at;
    while ((at = callee_of(g, at, own)) != VIEW_NO_NODE) {
        uint32_t callee = callee_of(g, at, frame);
        if (callee != VIEW_NO_NODE)
            return callee;
    }
    return VIEW_NO_NODE;
}

uint32_t view_derive_follow(const view_graph *g, const view_graph *other, uint32_t node)
{
    uint32_t depth = view_node(other, node)->depth, at = 0;
    uint32_t *frames = brz_malloc((depth + (size_t)1) * sizeof *frames);
    for (uint32_t i = depth; i > 0; i--, node = view_node(other, node)->parent)
        frames[i - 1] = view_node(other, node)->frame;
    for (uint32_t i = 0; i < depth; i++) {
        uint32_t callee = callee_of(g, at, frames[i]);
        if (callee == VIEW_NO_NODE)
            callee = follow_in_run(g, at, frames[i]);
        if (callee == VIEW_NO_NODE)
            break;
        at = callee;
    }
    free(frames);
    return at;
}
