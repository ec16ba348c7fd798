/* SPDX-License-Identifier: MIT */
/* Builds graphs of functions and calls. */
#include "graph.h"

void call_graph_init(call_graph *g, brz_ctx *ctx, uint32_t n_columns, bool relative)
{
    memset(g, 0, sizeof *g);
    g->ctx = ctx;
    g->n_columns = n_columns;
    g->relative = relative;
    g->outside = GRAPH_NONE;
    pair_map_init(&g->place_ids, ctx);
    pair_map_init(&g->call_ids, ctx);
}

uint32_t call_graph_function(call_graph *g, brz_frame frame)
{
    g->functions = brz_list_room(g->ctx, g->functions, g->n_functions, &g->functions_cap,
                                 sizeof *g->functions);
    g->functions[g->n_functions] = (graph_function){frame, GRAPH_NONE};
    return (uint32_t)g->n_functions++;
}

/* Makes room for another row. Rows are zeroed. */
static int64_t *row_room(call_graph *g, int64_t *rows, size_t n, size_t *cap)
{
    return brz_list_room(g->ctx, rows, n, cap, g->n_columns * sizeof *rows);
}

uint32_t call_graph_place(call_graph *g, uint32_t function, brz_frame frame)
{
    uint32_t id = pair_map_find(&g->place_ids, function, frame);
    if (id != PAIR_MISS)
        return id;
    graph_function *f = &g->functions[function];
    g->places = brz_list_room(g->ctx, g->places, g->n_places, &g->places_cap, sizeof *g->places);
    g->own = row_room(g, g->own, g->n_places, &g->own_cap);
    id = (uint32_t)g->n_places++;
    g->places[id] = (graph_place){frame, f->first_place};
    f->first_place = id;
    pair_map_put(&g->place_ids, g->ctx, function, frame, id);
    return id;
}

uint32_t call_graph_call(call_graph *g, uint32_t caller, uint32_t callee)
{
    uint32_t id = pair_map_find(&g->call_ids, caller, callee);
    if (id != PAIR_MISS)
        return id;
    g->calls = brz_list_room(g->ctx, g->calls, g->n_calls, &g->calls_cap, sizeof *g->calls);
    g->costs = row_room(g, g->costs, g->n_calls, &g->costs_cap);
    id = (uint32_t)g->n_calls++;
    g->calls[id] = (graph_call){caller, callee};
    pair_map_put(&g->call_ids, g->ctx, caller, callee, id);
    return id;
}

uint32_t call_graph_call_from_outside(call_graph *g, uint32_t callee)
{
    if (g->outside == GRAPH_NONE)
        g->outside = call_graph_function(g, GRAPH_NONE);
    return call_graph_call(g, g->outside, callee);
}
