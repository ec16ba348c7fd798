/* Makes graphs of another one. */
#include "view/derive.h"

#include <stdlib.h>

#include "base/mem.h"

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

/* Returns the callee of a node with this frame, or VIEW_NO_NODE. */
static uint32_t callee_of(const view_graph *g, uint32_t node, uint32_t frame)
{
    uint32_t end = node + view_node(g, node)->subtree;
    for (uint32_t i = node + 1; i < end; i += view_node(g, i)->subtree)
        if (view_node(g, i)->frame == frame)
            return i;
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
            break;
        at = callee;
    }
    free(frames);
    return at;
}
