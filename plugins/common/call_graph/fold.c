/* SPDX-License-Identifier: MIT */
/* Divides the costs of a call graph among stacks.
 *
 * A context is a stack in which a function was called. Functions are visited after all of their
 * callers. A function's contexts are those of its callers, each with its share of the cost of the
 * call; a part of the function's cost that no call explains is a context without a caller. Shares
 * are whole numbers, so that small contexts disappear as calls are divided again and again.
 *
 * The number of contexts is limited: a function has its heaviest ones, and others if they are large
 * enough to be seen. The rest are called by "[other callers]".
 */
#include "order.h"
#include "share.h"

#include <stdlib.h>

/* A function keeps at least the first number of contexts, and at most the second one. */
#define FEW  8
#define MOST 64
/* Other contexts must have at least this fraction of the total. */
#define VISIBLE 20000
/* Deeper stacks begin with "[other callers]". */
#define DEEPEST 512

/* The parent of the contexts that are not kept. */
#define OTHERS (UINT32_MAX - 1)

typedef struct context {
    uint32_t parent; /* context of the caller; GRAPH_NONE: none; OTHERS */
    uint32_t function;
    uint32_t depth;
} context;

/* A context with its share, for sorting. */
typedef struct weighed {
    int64_t share;
    uint32_t context;
} weighed;

typedef struct fold {
    call_graph *g;
    graph_order order;
    brz_stacks *stacks;
    const uint32_t *weights;
    context *contexts;
    int64_t *shares; /* a row for each context */
    size_t n, contexts_cap, shares_cap;
    uint32_t *first; /* contexts of function f are first[f]..end[f] */
    uint32_t *end;
    int64_t *whole;             /* sums of the shares of each function, a row for each */
    int64_t *from, *to, *part;  /* scratch rows */
    int64_t *rest;              /* shares of contexts that are not kept */
    int64_t *explained, *total; /* costs of the calls of each function, and its whole costs */
    weighed *sorted;            /* scratch */
    size_t sorted_cap;
    int64_t least; /* share of a context that is large enough to be seen */
    brz_frame others;
    uint64_t n_estimated; /* functions with several contexts */
} fold;

static int64_t *row(const fold *x, int64_t *rows, size_t i)
{
    return rows + i * x->g->n_columns;
}

static bool is_zero(const fold *x, const int64_t *values)
{
    for (uint32_t k = 0; k < x->g->n_columns; k++)
        if (values[k] != 0)
            return false;
    return true;
}

/* ---- contexts of a function ------------------------------------------------------------------ */

static void add_context(fold *x, uint32_t function, uint32_t parent, const int64_t *shares)
{
    brz_ctx *ctx = x->g->ctx;
    size_t size = x->g->n_columns * sizeof *shares;
    bool is_root = parent == GRAPH_NONE || parent == OTHERS;
    x->contexts = brz_list_room(ctx, x->contexts, x->n, &x->contexts_cap, sizeof *x->contexts);
    x->shares = brz_list_room(ctx, x->shares, x->n, &x->shares_cap, size);
    memcpy(row(x, x->shares, x->n), shares, size);
    x->contexts[x->n++] = (context){parent, function, is_root ? 1 : x->contexts[parent].depth + 1};
}

static void add_to(fold *x, int64_t *sums, const int64_t *values)
{
    for (uint32_t k = 0; k < x->g->n_columns; k++)
        call_graph_sum(x->g, &sums[k], values[k]);
}

/* Sets `part` to the shares of a row of values that belong to a context, the next one of its
 * function. */
static void take_part(fold *x, const int64_t *values, uint32_t id)
{
    uint32_t function = x->contexts[id].function;
    const int64_t *shares = row(x, x->shares, id), *whole = row(x, x->whole, function);
    bool first = id == x->first[function];
    for (uint32_t k = 0; k < x->g->n_columns; k++) {
        x->from[k] = first ? 0 : x->to[k];
        x->to[k] = whole[k] - x->from[k] < shares[k] ? whole[k] : x->from[k] + shares[k];
        x->part[k] = share_between(values[k], x->from[k], x->to[k], whole[k], first);
    }
}

/* Divides the cost of a call among the contexts of its caller. */
static void add_callers(fold *x, uint32_t function, uint32_t call)
{
    uint32_t caller = x->g->calls[call].caller;
    for (uint32_t i = x->first[caller]; i < x->end[caller]; i++) {
        take_part(x, row(x, x->g->costs, call), i);
        for (uint32_t k = 0; k < x->g->n_columns; k++)
            x->part[k] = x->part[k] < 0 ? 0 : x->part[k];
        if (is_zero(x, x->part))
            continue;
        if (x->contexts[i].depth < DEEPEST)
            add_context(x, function, i, x->part);
        else
            add_to(x, x->rest, x->part);
    }
}

/* Sets `part` to the cost of a function that no call explains. `total` is its whole cost. The costs
 * of calls within a cycle contain each other, so that they explain nothing. */
static void take_root_part(fold *x, uint32_t function, const int64_t *explained,
                           const int64_t *total)
{
    bool is_vague = x->g->relative || x->order.in_cycle[function];
    for (uint32_t k = 0; k < x->g->n_columns; k++) {
        if (explained[k] == 0)
            x->part[k] = x->g->relative ? 1 << 20 : total[k];
        else
            x->part[k] = is_vague ? 0 : total[k] - explained[k];
        x->part[k] = x->part[k] < 0 ? 0 : x->part[k];
    }
}

static int by_share(const void *a, const void *b)
{
    const weighed *x = a, *y = b;
    if (x->share != y->share)
        return x->share > y->share ? -1 : 1;
    return x->context < y->context ? -1 : 1;
}

static int by_index(const void *a, const void *b)
{
    const weighed *x = a, *y = b;
    return x->context < y->context ? -1 : 1;
}

/* Returns how many of the contexts are kept, which are sorted by their shares. */
static size_t count_kept(const fold *x, const weighed *some, size_t n)
{
    size_t kept = n < FEW ? n : FEW;
    while (kept < n && kept < MOST && some[kept].share >= x->least)
        kept++;
    return kept;
}

/* Keeps the heaviest contexts of a function, in their order, and adds the shares of the others to
 * the rest. */
static void limit_contexts(fold *x, size_t first)
{
    size_t n = x->n - first, size = x->g->n_columns * sizeof *x->shares;
    if (n <= FEW)
        return;
    for (size_t i = 0; i < n; i++) {
        x->sorted = brz_list_room(x->g->ctx, x->sorted, i, &x->sorted_cap, sizeof *x->sorted);
        x->sorted[i] = (weighed){*row(x, x->shares, first + i), (uint32_t)(first + i)};
    }
    weighed *some = x->sorted;
    qsort(some, n, sizeof *some, by_share);
    size_t kept = count_kept(x, some, n);
    for (size_t i = kept; i < n; i++)
        add_to(x, x->rest, row(x, x->shares, some[i].context));
    qsort(some, kept, sizeof *some, by_index);
    for (size_t i = 0; i < kept; i++) {
        x->contexts[first + i] = x->contexts[some[i].context];
        memmove(row(x, x->shares, first + i), row(x, x->shares, some[i].context), size);
    }
    x->n = first + kept;
}

static bool has_own(const fold *x, uint32_t function)
{
    return x->g->functions[function].first_place != GRAPH_NONE;
}

/* Finds the contexts of a function, whose callers have theirs. */
static void find_contexts(fold *x, uint32_t function)
{
    const graph_index *in = &x->order.in;
    size_t first = x->n;
    memset(x->rest, 0, x->g->n_columns * sizeof *x->rest);
    for (uint32_t i = in->first[function]; i < in->first[function + 1]; i++)
        add_callers(x, function, in->calls[i]);
    take_root_part(x, function, row(x, x->explained, function), row(x, x->total, function));
    if (!is_zero(x, x->part) || (x->n == first && has_own(x, function)))
        add_context(x, function, GRAPH_NONE, x->part);
    limit_contexts(x, first);
    if (!is_zero(x, x->rest))
        add_context(x, function, OTHERS, x->rest);
    x->first[function] = (uint32_t)first;
    x->end[function] = (uint32_t)x->n;
    for (size_t i = first; i < x->n; i++)
        add_to(x, row(x, x->whole, function), row(x, x->shares, i));
    x->n_estimated += x->n > first + 1;
}

/* ---- stacks ---------------------------------------------------------------------------------- */

/* Sets the path to a place of a context, from leaf to root. */
static void set_path(fold *x, brz_frame place, uint32_t id)
{
    brz_ctx *ctx = x->g->ctx;
    brz_path *path = x->stacks->path;
    brz_path_cut(path, 0);
    brz_path_push(path, ctx, place);
    for (id = x->contexts[id].parent; id < OTHERS; id = x->contexts[id].parent)
        if (x->contexts[id].function != x->g->outside)
            brz_path_push(path, ctx, x->g->functions[x->contexts[id].function].frame);
    if (id == OTHERS)
        brz_path_push(path, ctx, x->others);
}

static brz_rc count_part(fold *x)
{
    brz_rc rc = BRZ_OK;
    brz_stacks_begin_sample(x->stacks);
    for (uint32_t k = 0; k < x->g->n_columns && rc == BRZ_OK; k++)
        if (x->part[k] != 0)
            rc = brz_stacks_count(x->stacks, x->g->ctx, x->weights[k], x->part[k]);
    brz_stacks_end_sample(x->stacks);
    return rc;
}

/* Divides a function's own costs among its contexts. */
static brz_rc count_own(fold *x, uint32_t function)
{
    brz_rc rc = BRZ_OK;
    uint32_t p = x->g->functions[function].first_place;
    for (; p != GRAPH_NONE; p = x->g->places[p].next)
        for (uint32_t i = x->first[function]; i < x->end[function] && rc == BRZ_OK; i++) {
            take_part(x, row(x, x->g->own, p), i);
            if (is_zero(x, x->part))
                continue;
            set_path(x, x->g->places[p].frame, i);
            rc = count_part(x);
        }
    return rc;
}

/* ---- the graph ------------------------------------------------------------------------------- */

/* Adds up the costs of each function that calls explain, and its whole costs. */
static void add_up(fold *x)
{
    const call_graph *g = x->g;
    const graph_index *in = &x->order.in;
    int64_t all = 0;
    for (uint32_t f = 0; f < g->n_functions; f++) {
        for (uint32_t p = g->functions[f].first_place; p != GRAPH_NONE; p = g->places[p].next) {
            add_to(x, row(x, x->total, f), row(x, g->own, p));
            call_graph_sum(x->g, &all, *row(x, g->own, p));
        }
        for (uint32_t i = in->first[f]; i < in->first[f + 1]; i++) {
            const int64_t *costs = row(x, g->costs, in->calls[i]);
            add_to(x, row(x, x->explained, f), costs);
            add_to(x, row(x, x->total, g->calls[in->calls[i]].caller), costs);
        }
    }
    x->least = g->relative ? 0 : all / VISIBLE + 1;
}

static int64_t *new_rows(const fold *x, size_t n)
{
    return x->g->ctx->host->alloc(x->g->ctx, (n + 1) * x->g->n_columns * sizeof(int64_t), 0);
}

static void start(fold *x, call_graph *g)
{
    brz_ctx *ctx = g->ctx;
    x->g = g;
    graph_order_make(&x->order, g);
    x->first = ctx->host->alloc(ctx, (g->n_functions + 1) * sizeof *x->first, 0);
    x->end = ctx->host->alloc(ctx, (g->n_functions + 1) * sizeof *x->end, 0);
    x->whole = new_rows(x, g->n_functions);
    x->explained = new_rows(x, g->n_functions);
    x->total = new_rows(x, g->n_functions);
    x->from = new_rows(x, 0);
    x->to = new_rows(x, 0);
    x->part = new_rows(x, 0);
    x->rest = new_rows(x, 0);
    x->others = ctx->host->intern(ctx, "[other callers]", 15);
    add_up(x);
}

brz_rc call_graph_fold(call_graph *g, brz_stacks *stacks, const uint32_t *weights)
{
    fold x = {.stacks = stacks, .weights = weights};
    brz_rc rc = BRZ_OK;
    start(&x, g);
    for (size_t i = 0; i < g->n_functions && rc == BRZ_OK; i++) {
        find_contexts(&x, x.order.functions[i]);
        rc = count_own(&x, x.order.functions[i]);
        if (i % 1024 == 0 && rc == BRZ_OK && g->ctx->host->stopped(g->ctx))
            rc = BRZ_STOP;
    }
    brz_report_count(
        g->ctx, BRZ_NOTE, "call-graph.estimated", x.n_estimated, 0,
        BRZ_STR("the format counts calls, not stacks: the stacks of {count} {function that "
                "has|functions that have} several callers are estimated"));
    brz_report_count(
        g->ctx, BRZ_NOTE, "call-graph.cycle", x.order.n_cut, 0,
        BRZ_STR("{count} {call that closes|calls that close} a cycle left out of the stacks"));
    stacks->saturated |= g->saturated;
    return rc;
}
