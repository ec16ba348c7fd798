/* SPDX-License-Identifier: MIT */
/* Manages the costs of cost centre stacks for both input formats: columns, frames, counting. */
#include "costs.h"

#include <brazier/symbol.h>

#include <string.h>

bool parse_number(brz_str digits, int64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < digits.len; i++) {
        char c = digits.data[i];
        if (!brz_is_digit(c))
            return false;
        if (__builtin_mul_overflow(*value, 10, value) ||
            __builtin_add_overflow(*value, c - '0', value))
            *value = INT64_MAX;
    }
    return digits.len > 0;
}

static const struct {
    const char *name, *unit;
} cost_names[COSTS] = {
    [TIME] = {"time", "per mille"}, [ALLOC] = {"alloc", "per mille"}, [TICKS] = {"ticks", "ticks"},
    [BYTES] = {"bytes", "bytes"},   [ENTRIES] = {"entries", "count"},
};

static void declare(ghcprof *g, brz_ctx *ctx, uint32_t cost)
{
    g->weights[cost] = BRZ_DECLARE_COLUMN(ctx, .name = brz_str_of_text(cost_names[cost].name),
                                          .unit = brz_str_of_text(cost_names[cost].unit));
    if (g->weights[cost] >= g->n_weights)
        g->n_weights = g->weights[cost] + 1;
}

uint32_t counted_cost(const ghcprof *g, uint32_t dflt)
{
    const options *o = g->options;
    return o->time ? TIME : o->ticks ? TICKS : o->bytes ? BYTES : dflt;
}

bool declare_weights(ghcprof *g, brz_ctx *ctx, const bool has[COSTS], uint32_t dflt)
{
    uint32_t first = counted_cost(g, dflt);
    if (!has[first]) {
        brz_report(ctx, BRZ_FATAL, "ghcprof.costs", NULL, 0,
                   BRZ_STR("the report has no ticks and bytes: they need +RTS -P or -pj"));
        return false;
    }
    g->counted = first;
    declare(g, ctx, first);
    for (uint32_t cost = 0; cost < COSTS; cost++)
        if (has[cost])
            declare(g, ctx, cost);
    return true;
}

/* Parses a source location: "File.hs:(12,1)-(15,20)", "File.hs:12:1-20". */
static void take_source(brz_str source, brz_frame_desc *d)
{
    const char *colon = source.len == 0 ? NULL : memchr(source.data, ':', source.len);
    if (colon == NULL)
        return;
    const char *p = colon + 1, *end = source.data + source.len;
    p += p < end && *p == '(';
    brz_str place = brz_str_of(p, (size_t)(end - p));
    uint64_t line;
    if (!brz_take_u64(&place, &line) || line > UINT32_MAX)
        return;
    d->file = brz_str_of(source.data, (size_t)(colon - source.data));
    d->line = (uint32_t)line;
}

brz_frame centre_frame(ghcprof *g, brz_ctx *ctx, const centre *c)
{
    brz_frame_desc d = {.struct_size = sizeof d, .kind = BRZ_KIND_OTHER, .module = c->module};
    brz_text *t = &g->scratch;
    t->len = 0;
    brz_text_append(t, ctx, c->module);
    brz_text_append(t, ctx, BRZ_STR("."));
    brz_text_append(t, ctx, c->name);
    for (char *p = t->data, *end = p + t->len; (p = memchr(p, ';', (size_t)(end - p))) != NULL;)
        *p = ':';
    take_source(c->source, &d);
    d.name = brz_text_str(t);
    return ctx->host->frame(ctx, &d);
}

void take_costs(ghcprof *g, const int64_t costs[COSTS])
{
    memcpy(g->waiting_costs, costs, sizeof g->waiting_costs);
    g->waiting = true;
    brz_stacks_fetch(&g->stacks, 0);
}

/* Counts the pending stack; looks it up once for all its costs. */
brz_rc count_waiting(ghcprof *g, brz_ctx *ctx)
{
    const int64_t *costs = g->waiting_costs;
    if (!g->waiting)
        return BRZ_OK;
    g->waiting = false;
    brz_rc rc = BRZ_OK;
    brz_stacks_entry stack = *brz_stacks_entry_of(&g->stacks, ctx, 0);
    brz_stacks_begin_sample(&g->stacks);
    for (size_t cost = 0; cost < COSTS && rc == BRZ_OK; cost++) {
        if (g->weights[cost] >= g->n_weights || (costs[cost] == 0 && g->weights[cost] > 0))
            continue;
        stack.column = g->weights[cost];
        rc = brz_stacks_send(&g->stacks, ctx, &stack, costs[cost]);
    }
    brz_stacks_end_sample(&g->stacks);
    return rc;
}
