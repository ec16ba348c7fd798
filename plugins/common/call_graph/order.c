/* SPDX-License-Identifier: MIT */
/* Orders the functions of a call graph: a depth-first search for strongly connected components. */
#include "order.h"

#include <stdlib.h>

/* A function whose calls are being followed. */
typedef struct visit {
    uint32_t function, next; /* index of the next call to follow */
} visit;

typedef struct search {
    const call_graph *g;
    graph_order *order;
    graph_index out;
    bool *cut;
    bool *on_path;
    uint32_t *number, *lowest; /* from 1 in order of discovery; 0: not found yet */
    uint32_t n_found;
    visit *path;
    size_t n_path;
    uint32_t *open; /* functions whose component is not complete */
    size_t n_open;
    size_t n_done;
} search;

static void *array(const call_graph *g, size_t n, size_t size)
{
    return g->ctx->host->alloc(g->ctx, (n + 1) * size, 0);
}

/* ---- calls of a function --------------------------------------------------------------------- */

static bool is_kept(const graph_call *c, bool cut)
{
    return c->caller != c->callee && !cut;
}

/* Groups the calls that are not cut by caller, or by callee, in order of their index. */
static graph_index group(const call_graph *g, const bool *cut, bool by_callee)
{
    graph_index x = {array(g, g->n_calls, sizeof *x.calls),
                     array(g, g->n_functions + 1, sizeof *x.first)};
    uint32_t *next = x.first + 1; /* next[f] ends as the end of f */
    for (size_t i = 0; i < g->n_calls; i++)
        if (is_kept(&g->calls[i], cut[i]))
            x.first[(by_callee ? g->calls[i].callee : g->calls[i].caller) + 1]++;
    for (size_t f = 0; f < g->n_functions; f++)
        x.first[f + 1] += x.first[f];
    for (size_t f = g->n_functions; f > 0; f--)
        next[f - 1] = x.first[f - 1];
    for (size_t i = 0; i < g->n_calls; i++)
        if (is_kept(&g->calls[i], cut[i]))
            x.calls[next[by_callee ? g->calls[i].callee : g->calls[i].caller]++] = (uint32_t)i;
    return x;
}

/* A call with its cost, for sorting. */
typedef struct priced {
    int64_t cost;
    uint32_t call;
} priced;

static int by_cost(const void *a, const void *b)
{
    const priced *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost > y->cost ? -1 : 1;
    return x->call < y->call ? -1 : 1;
}

/* Sorts the calls of each caller, the most expensive one first. */
static void sort_by_cost(const call_graph *g, graph_index *out)
{
    priced *some = array(g, g->n_calls, sizeof *some);
    for (size_t f = 0; f < g->n_functions; f++) {
        size_t first = out->first[f], n = out->first[f + 1] - first;
        for (size_t i = 0; i < n; i++) {
            uint32_t call = out->calls[first + i];
            some[i] = (priced){g->costs[(size_t)call * g->n_columns], call};
        }
        qsort(some, n, sizeof *some, by_cost);
        for (size_t i = 0; i < n; i++)
            out->calls[first + i] = some[i].call;
    }
}

/* ---- the search ------------------------------------------------------------------------------ */

static void enter(search *s, uint32_t function)
{
    s->number[function] = s->lowest[function] = ++s->n_found;
    s->on_path[function] = true;
    s->open[s->n_open++] = function;
    s->path[s->n_path++] = (visit){function, s->out.first[function]};
}

static void lower(search *s, uint32_t function, uint32_t number)
{
    if (number < s->lowest[function])
        s->lowest[function] = number;
}

/* Closes the component of which `function` was found first. */
static void close_component(search *s, uint32_t function)
{
    bool several = s->open[s->n_open - 1] != function;
    uint32_t member;
    do {
        member = s->open[--s->n_open];
        s->order->in_cycle[member] = several;
        s->lowest[member] = UINT32_MAX; /* no longer open */
    } while (member != function);
}

static void leave(search *s, uint32_t function)
{
    uint32_t lowest = s->lowest[function];
    s->on_path[function] = false;
    s->n_path--;
    s->order->functions[s->g->n_functions - ++s->n_done] = function;
    if (lowest == s->number[function])
        close_component(s, function);
    else
        lower(s, s->path[s->n_path - 1].function, lowest);
}

/* Follows a call, unless it closes a cycle. */
static void follow(search *s, uint32_t function, uint32_t call)
{
    uint32_t callee = s->g->calls[call].callee;
    if (s->number[callee] == 0) {
        enter(s, callee);
        return;
    }
    if (s->lowest[callee] != UINT32_MAX)
        lower(s, function, s->number[callee]);
    if (s->on_path[callee]) {
        s->cut[call] = true;
        s->order->n_cut++;
    }
}

static void visit_from(search *s, uint32_t function)
{
    if (s->number[function] != 0)
        return;
    enter(s, function);
    while (s->n_path > 0) {
        visit *v = &s->path[s->n_path - 1];
        if (v->next == s->out.first[v->function + 1])
            leave(s, v->function);
        else
            follow(s, v->function, s->out.calls[v->next++]);
    }
}

void graph_order_make(graph_order *o, const call_graph *g)
{
    size_t n = g->n_functions;
    search s = {.g = g, .order = o, .cut = array(g, g->n_calls, sizeof *s.cut)};
    graph_index in = group(g, s.cut, true);
    s.out = group(g, s.cut, false);
    sort_by_cost(g, &s.out);
    s.on_path = array(g, n, sizeof *s.on_path);
    s.number = array(g, n, sizeof *s.number);
    s.lowest = array(g, n, sizeof *s.lowest);
    s.path = array(g, n, sizeof *s.path);
    s.open = array(g, n, sizeof *s.open);
    o->functions = array(g, n, sizeof *o->functions);
    o->in_cycle = array(g, n, sizeof *o->in_cycle);
    o->n_cut = 0;
    for (uint32_t f = 0; f < n; f++) /* functions without callers are the roots */
        if (in.first[f] == in.first[f + 1])
            visit_from(&s, f);
    for (uint32_t f = 0; f < n; f++)
        visit_from(&s, f);
    o->in = group(g, s.cut, true);
}
