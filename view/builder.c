/* SPDX-License-Identifier: MIT */
/* Builds a graph from stacks. */
#include "view/builder.h"

#include <stdlib.h>
#include <string.h>

#include <brazier/symbol.h>

#include "base/mem.h"

#define FIRST_SLOTS 1024

static void add(int64_t *sum, int64_t value)
{
    *sum = view_sum(*sum, value);
}

/* ---- nodes by caller and frame ------------------------------------------------------------- */

static size_t slot_of(const view_builder *b, uint32_t parent, uint32_t frame)
{
    uint64_t key = ((uint64_t)parent << 32 | frame) * 0x9e3779b97f4a7c15u;
    return (size_t)(key ^ key >> 32) & (b->n_slots - 1);
}

/* Returns the slot of a node, or the empty one where it would be. */
static uint32_t *find_slot(const view_builder *b, uint32_t parent, uint32_t frame)
{
    size_t i = slot_of(b, parent, frame);
    while (b->slots[i] != VIEW_NO_NODE &&
           (b->nodes[b->slots[i]].parent != parent || b->nodes[b->slots[i]].frame != frame))
        i = (i + 1) & (b->n_slots - 1);
    return &b->slots[i];
}

static void make_slots(view_builder *b, size_t n)
{
    free(b->slots);
    b->slots = brz_malloc(n * sizeof *b->slots);
    b->n_slots = n;
    memset(b->slots, 0xff, n * sizeof *b->slots);
    for (uint32_t i = 1; i < b->n; i++)
        *find_slot(b, b->nodes[i].parent, b->nodes[i].frame) = i;
}

static uint32_t append(view_builder *b, uint32_t parent, uint32_t frame)
{
    b->nodes = brz_grow(b->nodes, b->n, &b->cap, sizeof *b->nodes);
    b->nodes[b->n] = (view_building){.frame = frame, .parent = parent};
    return (uint32_t)b->n++;
}

void view_builder_init(view_builder *b, const view_graph *source)
{
    *b = (view_builder){.source = source};
    append(b, 0, view_node(source, 0)->frame);
    make_slots(b, FIRST_SLOTS);
}

uint32_t view_builder_callee(view_builder *b, uint32_t node, uint32_t frame)
{
    uint32_t *slot = find_slot(b, node, frame);
    if (*slot != VIEW_NO_NODE)
        return *slot;
    if (b->n >= b->n_slots / 2) {
        make_slots(b, b->n_slots * 2);
        slot = find_slot(b, node, frame);
    }
    uint32_t callee = append(b, node, frame);
    *slot = callee;
    return callee;
}

void view_builder_add_self(view_builder *b, uint32_t node, uint32_t from)
{
    add(&b->nodes[node].weights.self, view_node(b->source, from)->self);
    if (b->source->tree.changes == NULL)
        return;
    const brz_change *c = brz_change_at(&b->source->tree, from);
    add(&b->nodes[node].change.before_self, c->before_self);
    add(&b->nodes[node].change.after_self, c->after_self);
}

void view_builder_add_total(view_builder *b, uint32_t node, uint32_t from)
{
    add(&b->nodes[node].weights.self, view_node(b->source, from)->total);
    if (b->source->tree.changes == NULL)
        return;
    const brz_change *c = brz_change_at(&b->source->tree, from);
    add(&b->nodes[node].change.before_self, c->before_total);
    add(&b->nodes[node].change.after_self, c->after_total);
}

void view_builder_add_value(view_builder *b, uint32_t node, int64_t value)
{
    view_building *n = &b->nodes[node];
    int64_t size = brz_size_of(value);
    add(&n->weights.self, size);
    add(value < 0 ? &n->change.before_self : &n->change.after_self, size);
}

/* ---- order --------------------------------------------------------------------------------- */

/* The callees of all nodes: those of a node follow one another, in order. */
typedef struct callees {
    uint32_t *nodes;
    size_t *begins; /* by node: index of its first callee, and of that of the next node */
} callees;

/* A node among the callees of its caller. */
typedef struct sibling {
    uint32_t node, rank; /* that of its name */
    int64_t total;       /* 0 in the order of names */
} sibling;

/* A frame with its name. */
typedef struct named {
    brz_str name;
    uint32_t frame;
} named;

static int compare_names(const void *left, const void *right)
{
    return brz_str_compare(((const named *)left)->name, ((const named *)right)->name);
}

static uint32_t *rank_frames(const brz_tree *tree)
{
    uint32_t n = tree->n_frames, *ranks = brz_calloc(n + (size_t)1, sizeof *ranks);
    named *all = brz_calloc(n + (size_t)1, sizeof *all);
    for (uint32_t i = 0; i < n; i++)
        all[i] = (named){brz_frame_at(tree, i)->name, i};
    qsort(all, n, sizeof *all, compare_names);
    for (uint32_t i = 1; i < n; i++) {
        bool is_equal = brz_str_equal(all[i].name, all[i - 1].name);
        ranks[all[i].frame] = is_equal ? ranks[all[i - 1].frame] : i;
    }
    free(all);
    return ranks;
}

/* Returns the ranks of frames in the order of their names, which are found once for a profile. */
static const uint32_t *ranks_of(const view_graph *g)
{
    if (g->ranks->of_frames == NULL)
        g->ranks->of_frames = rank_frames(&g->tree);
    return g->ranks->of_frames;
}

static int compare_siblings(const void *left, const void *right)
{
    const sibling *a = left, *b = right;
    if (a->total != b->total)
        return a->total > b->total ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

/* Puts nodes next to the other callees of their callers. */
static void group_callees(const view_builder *b, callees *c)
{
    c->nodes = brz_malloc(b->n * sizeof *c->nodes);
    c->begins = brz_calloc(b->n + 2, sizeof *c->begins);
    for (size_t i = 1; i < b->n; i++)
        c->begins[b->nodes[i].parent + (size_t)2]++;
    for (size_t i = 1; i <= b->n; i++)
        c->begins[i + 1] += c->begins[i];
    for (size_t i = 1; i < b->n; i++) /* moves each beginning to that of the next node */
        c->nodes[c->begins[b->nodes[i].parent + (size_t)1]++] = (uint32_t)i;
}

/* Puts the callees of a node in order; `room` is for as many siblings. */
static void order_callees(const view_builder *b, uint32_t *nodes, size_t n, view_order order,
                          const uint32_t *ranks, sibling *room)
{
    for (size_t i = 0; i < n; i++) {
        const view_building *at = &b->nodes[nodes[i]];
        int64_t total = order == VIEW_ORDER_WEIGHT ? at->weights.total : 0;
        room[i] = (sibling){nodes[i], ranks[at->frame], total};
    }
    qsort(room, n, sizeof *room, compare_siblings);
    for (size_t i = 0; i < n; i++)
        nodes[i] = room[i].node;
}

/* Returns the callees of all nodes in order. */
static callees sort_callees(const view_builder *b, view_order order)
{
    callees c;
    size_t most = 1;
    const uint32_t *ranks = ranks_of(b->source);
    group_callees(b, &c);
    for (size_t i = 0; i < b->n; i++)
        most = c.begins[i + 1] - c.begins[i] > most ? c.begins[i + 1] - c.begins[i] : most;
    sibling *room = brz_malloc(most * sizeof *room);
    for (size_t i = 0; i < b->n; i++) {
        size_t n = c.begins[i + 1] - c.begins[i];
        if (n > 1)
            order_callees(b, c.nodes + c.begins[i], n, order, ranks, room);
    }
    free(room);
    return c;
}

/* ---- the graph ----------------------------------------------------------------------------- */

/* Adds up totals. Callers precede their callees. */
static void add_totals(view_builder *b)
{
    for (size_t i = b->n; i-- > 0;) {
        view_building *n = &b->nodes[i];
        add(&n->weights.total, n->weights.self);
        add(&n->change.before_total, n->change.before_self);
        add(&n->change.after_total, n->change.after_self);
        if (i == 0)
            break;
        view_building *parent = &b->nodes[n->parent];
        add(&parent->weights.total, n->weights.total);
        add(&parent->change.before_total, n->change.before_total);
        add(&parent->change.after_total, n->change.after_total);
    }
}

/* Nodes on their way into preorder. */
typedef struct preorder {
    const view_builder *builder;
    callees callees;
    uint32_t *stack;  /* nodes to come, the next one last */
    uint32_t *placed; /* by node: its index in preorder */
    size_t n_stack;
    brz_node *nodes;
    brz_change *changes;
} preorder;

static void place(preorder *p, uint32_t node, uint32_t index)
{
    const view_building *from = &p->builder->nodes[node];
    uint32_t parent = index == 0 ? 0 : p->placed[from->parent];
    p->placed[node] = index;
    p->nodes[index] = (brz_node){.frame = from->frame,
                                 .parent = parent,
                                 .subtree = 1,
                                 .depth = index == 0 ? 0 : p->nodes[parent].depth + 1,
                                 .self = from->weights.self,
                                 .total = from->weights.total};
    if (p->changes != NULL)
        p->changes[index] = from->change;
    for (size_t i = p->callees.begins[node + (size_t)1]; i-- > p->callees.begins[node];)
        p->stack[p->n_stack++] = p->callees.nodes[i];
}

static void put_in_preorder(preorder *p)
{
    uint32_t n = 0;
    p->stack[p->n_stack++] = 0;
    while (p->n_stack > 0) {
        uint32_t node = p->stack[--p->n_stack];
        place(p, node, n++);
    }
    while (--n > 0)
        p->nodes[p->nodes[n].parent].subtree += p->nodes[n].subtree;
}

/* Returns the lengths of runs by node of the graph. */
static uint32_t *place_runs(const view_builder *b, const uint32_t *placed)
{
    uint32_t *runs = brz_malloc(b->n * sizeof *runs);
    for (size_t i = 0; i < b->n; i++)
        runs[placed[i]] = b->runs[i];
    return runs;
}

void view_builder_drop(view_builder *b)
{
    free(b->nodes);
    free(b->slots);
    free(b->runs);
}

view_graph *view_builder_finish(view_builder *b, view_order order)
{
    add_totals(b);
    bool has_changes = b->source->tree.changes != NULL;
    preorder p = {.builder = b,
                  .callees = sort_callees(b, order),
                  .stack = brz_malloc(b->n * sizeof *p.stack),
                  .placed = brz_malloc(b->n * sizeof *p.placed),
                  .nodes = brz_malloc(b->n * sizeof *p.nodes),
                  .changes = has_changes ? brz_malloc(b->n * sizeof *p.changes) : NULL};
    put_in_preorder(&p);
    view_graph *g = view_graph_create_own(b->source, p.nodes, p.changes, (uint32_t)b->n);
    free(p.callees.nodes);
    free(p.callees.begins);
    free(p.stack);
    if (b->runs != NULL)
        g->runs = place_runs(b, p.placed);
    free(p.placed);
    view_builder_drop(b);
    return g;
}
