/* SPDX-License-Identifier: MIT */
/* Estimates the stacks of a dump from the sums of its frames. */
#include "sums.h"

#include "../../common/json/text.h"

typedef struct counting {
    const sums *of;
    call_graph graph;
    uint64_t n_unknown; /* calls of frames that the dump does not have */
    bool is_spent;      /* the budget */
} counting;

/* Stores what `n` samples are in each weight. */
static void weigh(counting *c, int64_t n, int64_t *row)
{
    for (uint32_t k = 0; k < c->of->n_weights; k++) {
        if (!__builtin_mul_overflow(n, c->of->factors[k], &row[k]))
            continue;
        row[k] = INT64_MAX;
        c->graph.saturated = true;
    }
}

static void add_own(counting *c, uint32_t frame, int64_t n)
{
    int64_t row[SUMS_WEIGHTS_MAX];
    weigh(c, n, row);
    call_graph_add_own(&c->graph, call_graph_place(&c->graph, frame, c->of->frames[frame]), row);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void add_call(counting *c, uint32_t caller, brz_str callee, int64_t n)
{
    int64_t row[SUMS_WEIGHTS_MAX];
    uint32_t index = ids_find(c->of->ids, 0, callee);
    if (index == BRZ_CACHE_MISS) {
        c->n_unknown++;
        return;
    }
    weigh(c, n, row);
    call_graph_add_cost(&c->graph, call_graph_call(&c->graph, caller, index), row);
}

static void add_json_calls(counting *c, uint32_t caller)
{
    cursor at;
    brz_str id;
    int64_t n;
    if (!members_open(&at, c->graph.ctx, &c->of->of[caller].calls, BRZ_JSON_OBJECT))
        return;
    while (cursor_member(&at, &id)) {
        cursor_skip(&at);
        if (members_integer(at.ctx, &at.token, &n) && n > 0)
            add_call(c, caller, id, n);
    }
}

static void add_ruby_calls(counting *c, uint32_t caller)
{
    marshal_list calls;
    marshal_value id, n;
    ruby_id callee = {.id = 0};
    size_t at = c->of->of[caller].calls_at;
    if (at == 0 || !marshal_open(&c->of->in->ruby, at, '{', &calls))
        return;
    while (marshal_next(&calls, &id) && marshal_next(&calls, &n)) {
        c->is_spent |= !budget_take(c->of->budget, n.at - id.at);
        if (c->is_spent)
            return;
        if (id.kind != MARSHAL_INTEGER || n.kind != MARSHAL_INTEGER || n.integer <= 0)
            continue;
        callee.id = id.integer;
        add_call(c, caller, ruby_id_bytes(&callee), n.integer);
    }
}

/* ---- all frames ------------------------------------------------------------------------------ */

static void add_frames(counting *c)
{
    const sums *s = c->of;
    for (size_t i = 0; i < s->n; i++)
        call_graph_function(&c->graph, s->frames[i]);
    for (uint32_t i = 0; i < s->n && !c->is_spent; i++) {
        add_own(c, i, s->of[i].own);
        if (s->in->is_ruby)
            add_ruby_calls(c, i);
        else
            add_json_calls(c, i);
    }
}

static int64_t sum_own(const sums *s)
{
    int64_t sum = 0;
    for (size_t i = 0; i < s->n; i++)
        if (__builtin_add_overflow(sum, s->of[i].own, &sum))
            return INT64_MAX;
    return sum;
}

brz_rc sums_count(const sums *s, brz_ctx *ctx, int64_t *counted)
{
    counting c = {.of = s};
    brz_stacks stacks;
    *counted = sum_own(s);
    call_graph_init(&c.graph, ctx, s->n_weights, false);
    add_frames(&c);
    if (c.is_spent) {
        brz_report(ctx, BRZ_FATAL, "stackprof.budget", NULL, 0,
                   BRZ_STR("the calls are implausibly many for an input of this size"));
        return BRZ_ERROR;
    }
    brz_report_count(ctx, BRZ_NOTE, "stackprof.calls", c.n_unknown, 0,
                     BRZ_STR("{count} {call of a frame|calls of frames} that the dump does not "
                             "have: left out of the stacks"));
    brz_stacks_init(&stacks, ctx, BRZ_LEAF_FIRST);
    brz_rc rc = call_graph_fold(&c.graph, &stacks, s->weights);
    return rc == BRZ_OK ? brz_stacks_finish(&stacks, ctx) : rc;
}
