/* Computes the costs of functions and of the calls between them from a call tree. */
#include "edges.h"

#define NO_EDGE UINT32_MAX

/* State of a pass over the call tree. */
typedef struct walk {
    edges *edges;
    const brz_tree *tree;
    calls calls;
    uint32_t *edge_of_call;
    uint32_t *open_pairs; /* indexed by depth: the pair of each call that is currently open */
    uint32_t *n_open;     /* indexed by pair: number of its calls that are currently open */
} walk;

static void number_call(walk *k, uint32_t i)
{
    edges *e = k->edges;
    const call *c = &k->calls.items[i];
    uint32_t callee = e->functions.of_frame[c->frame];
    uint32_t line = brz_frame_at(k->tree, c->frame)->line;
    keys_add(&e->lines, key_of_two(callee, line));
    k->edge_of_call[i] = NO_EDGE;
    if (c->parent == 0)
        return;
    uint32_t frame = k->calls.items[c->parent].frame;
    uint32_t caller = e->functions.of_frame[frame], at = brz_frame_at(k->tree, frame)->line;
    uint32_t pair = keys_add(&e->pairs, key_of_two(caller, callee));
    uint32_t place = keys_add(&e->places, key_of_two(at, line));
    k->edge_of_call[i] = keys_add(&e->calls, key_of_two(pair, place));
}

static void add_costs(costs *to, uint32_t number, const int64_t *from, uint32_t n_weights)
{
    int64_t *values = to->values + (size_t)number * n_weights;
    for (uint32_t w = 0; w < n_weights; w++)
        values[w] = add_saturated(values[w], from[w]);
}

static void leave(walk *k, uint32_t *depth, uint32_t to)
{
    for (; *depth > to; (*depth)--)
        if (k->open_pairs[*depth - 1] != NO_EDGE)
            k->n_open[k->open_pairs[*depth - 1]]--;
}

/* Adds up the costs of all calls, visiting callers before callees. */
static void add_all(walk *k)
{
    edges *e = k->edges;
    uint32_t depth = 0;
    for (uint32_t i = 1; i < k->calls.n; i++) {
        const call *c = &k->calls.items[i];
        uint32_t callee = e->functions.of_frame[c->frame], edge = k->edge_of_call[i];
        uint32_t line =
            keys_add(&e->lines, key_of_two(callee, brz_frame_at(k->tree, c->frame)->line));
        leave(k, &depth, c->depth - 1);
        add_costs(&e->self, line, k->calls.self + (size_t)i * e->n_weights, e->n_weights);
        uint32_t pair = edge == NO_EDGE ? NO_EDGE : key_first(e->calls.items[edge]);
        k->open_pairs[depth++] = pair;
        if (pair == NO_EDGE)
            continue;
        e->n_calls[edge]++;
        if (k->n_open[pair]++ == 0)
            add_costs(&e->total, edge, k->calls.total + (size_t)i * e->n_weights, e->n_weights);
    }
}

static void init_costs(costs *c, brz_output_ctx *ctx, uint32_t n, uint32_t n_weights,
                       uint32_t n_functions)
{
    c->values = ctx->host->alloc(ctx, ((size_t)n * n_weights + 1) * sizeof *c->values, 0);
    c->next = ctx->host->alloc(ctx, ((size_t)n + 1) * sizeof *c->next, 0);
    c->first = ctx->host->alloc(ctx, ((size_t)n_functions + 1) * sizeof *c->first, 0);
}

/* Inserts `number` at the front of its function's list. */
static void list(costs *c, uint32_t number, uint32_t owner)
{
    c->next[number] = c->first[owner];
    c->first[owner] = number + 1;
}

static uint32_t deepest(const calls *c)
{
    uint32_t depth = 0;
    for (uint32_t i = 0; i < c->n; i++)
        depth = c->items[i].depth > depth ? c->items[i].depth : depth;
    return depth;
}

void edges_init(edges *e, brz_output_ctx *ctx, const brz_tree *tree)
{
    walk k = {.edges = e, .tree = tree};
    e->n_weights = tree->n_weights;
    functions_init(&e->functions, ctx, tree, FUNCTIONS_BY_NAME);
    keys_init(&e->lines, ctx);
    keys_init(&e->pairs, ctx);
    keys_init(&e->places, ctx);
    keys_init(&e->calls, ctx);
    calls_init(&k.calls, ctx, tree, CALLS_NEGATIVE_AS_ZERO);
    k.edge_of_call = ctx->host->alloc(ctx, k.calls.n * sizeof(uint32_t), 0);
    for (uint32_t i = 1; i < k.calls.n; i++)
        number_call(&k, i);
    init_costs(&e->self, ctx, e->lines.n, e->n_weights, e->functions.n);
    init_costs(&e->total, ctx, e->calls.n, e->n_weights, e->functions.n);
    e->n_calls = ctx->host->alloc(ctx, ((size_t)e->calls.n + 1) * sizeof(uint32_t), 0);
    k.open_pairs = ctx->host->alloc(ctx, ((size_t)deepest(&k.calls) + 1) * sizeof(uint32_t), 0);
    k.n_open = ctx->host->alloc(ctx, ((size_t)e->pairs.n + 1) * sizeof(uint32_t), 0);
    add_all(&k);
    for (uint32_t i = e->lines.n; i-- > 0;)
        list(&e->self, i, key_first(e->lines.items[i]));
    for (uint32_t i = e->calls.n; i-- > 0;)
        list(&e->total, i, key_first(e->pairs.items[key_first(e->calls.items[i])]));
}
