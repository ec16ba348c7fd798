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

/* A node among the callees of its caller. */
typedef struct sibling {
    uint32_t parent, node;
    int64_t total; /* 0 in the order of names */
    brz_str name;
} sibling;

static int compare_siblings(const void *left, const void *right)
{
    const sibling *a = left, *b = right;
    if (a->parent != b->parent)
        return a->parent < b->parent ? -1 : 1;
    if (a->total != b->total)
        return a->total > b->total ? -1 : 1;
    int order = brz_str_compare(a->name, b->name);
    return order != 0 ? order : (a->node > b->node) - (a->node < b->node);
}

/* Returns all nodes but the root, sorted by their callers and then in order. */
static sibling *sort_siblings(const view_builder *b, view_order order)
{
    sibling *all = brz_malloc(b->n * sizeof *all);
    for (uint32_t i = 1; i < b->n; i++) {
        const view_building *n = &b->nodes[i];
        all[i - 1] = (sibling){n->parent, i, order == VIEW_ORDER_WEIGHT ? n->weights.total : 0,
                               brz_frame_at(&b->source->tree, n->frame)->name};
    }
    qsort(all, b->n - 1, sizeof *all, compare_siblings);
    return all;
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
    const sibling *siblings;
    size_t *begins;   /* by node: index of its first callee among the siblings, and of the next
                         node's */
    uint32_t *stack;  /* nodes to come, the next one last */
    uint32_t *placed; /* by node: its index in preorder */
    size_t n_stack;
    brz_node *nodes;
    brz_change *changes;
} preorder;

static void find_begins(preorder *p)
{
    size_t n = p->builder->n, at = 0;
    for (size_t node = 0; node <= n; node++) {
        while (at < n - 1 && p->siblings[at].parent < node)
            at++;
        p->begins[node] = at;
    }
}

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
    for (size_t i = p->begins[node + 1]; i-- > p->begins[node];)
        p->stack[p->n_stack++] = p->siblings[i].node;
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

view_graph *view_builder_finish(view_builder *b, view_order order)
{
    add_totals(b);
    sibling *siblings = sort_siblings(b, order);
    bool has_changes = b->source->tree.changes != NULL;
    preorder p = {.builder = b,
                  .siblings = siblings,
                  .begins = brz_malloc((b->n + 1) * sizeof *p.begins),
                  .stack = brz_malloc(b->n * sizeof *p.stack),
                  .placed = brz_malloc(b->n * sizeof *p.placed),
                  .nodes = brz_malloc(b->n * sizeof *p.nodes),
                  .changes = has_changes ? brz_malloc(b->n * sizeof *p.changes) : NULL};
    find_begins(&p);
    put_in_preorder(&p);
    view_graph *g = view_graph_create_own(b->source, p.nodes, p.changes, (uint32_t)b->n);
    free(siblings);
    free(p.begins);
    free(p.stack);
    free(p.placed);
    free(b->nodes);
    free(b->slots);
    return g;
}
