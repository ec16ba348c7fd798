/* SPDX-License-Identifier: MIT */
/* Collapses profiles of Python's cProfile, in the marshal format:
 *
 *     profile  := {function: (primitive calls, calls, own time, time, {caller: edge})}
 *     function := (file, line, name)
 *     caller   := function
 *     edge     := (calls, primitive calls, own time, time) | calls
 *
 * Times are in seconds. The profile has no stacks: call_graph_fold() divides the time of a function
 * among its callers by the times of the calls, or by their numbers.
 */
#include "../../common/call_graph/graph.h"
#include "../../common/dump/dump.h"
#include "marshal.h"

#include <math.h>

/* The largest number of calls of an edge without times. */
#define CALLS_MAX (INT64_C(1) << 40)

enum { TIME, CALLS, COLUMNS };

typedef struct pstats {
    dump dump;
    marshal in;
    call_graph graph;
    brz_frame_cache functions; /* file, line and name to functions */
    brz_text key;
    int64_t costs[COLUMNS]; /* scratch row */
} pstats;

/* ---- functions ------------------------------------------------------------------------------- */

static bool is_function(const marshal_value v[3])
{
    return v[0].kind == MARSHAL_TEXT && v[1].kind == MARSHAL_INTEGER && v[2].kind == MARSHAL_TEXT;
}

/* Returns the function with this file, line and name. */
static uint32_t function_of(pstats *p, const marshal_value v[3])
{
    brz_ctx *ctx = p->dump.ctx;
    brz_str line = brz_str_of((const char *)&v[1].integer, sizeof v[1].integer);
    p->key.len = 0;
    brz_text_append(&p->key, ctx, line);
    brz_text_append(&p->key, ctx, v[0].text);
    brz_text_append(&p->key, ctx, brz_str_of("", 1));
    brz_text_append(&p->key, ctx, v[2].text);
    brz_text_room(&p->key, ctx, 32);
    brz_frame_key key = brz_frame_key_of(&p->functions, p->key.data, p->key.len, 0);
    uint32_t function = brz_frame_cache_find(&p->functions, &key);
    if (function != BRZ_CACHE_MISS)
        return function;
    brz_frame_desc frame = {.kind = BRZ_KIND_USER, .name = v[2].text};
    if (v[1].integer > 0 && v[1].integer <= UINT32_MAX)
        frame.first_line = (uint32_t)v[1].integer;
    if (!brz_str_is(v[0].text, "~")) /* which stands for code in C */
        frame.file = v[0].text;
    function = call_graph_function(&p->graph, dump_frame(&p->dump, &frame));
    brz_frame_cache_put(&p->functions, ctx, &key, function);
    return function;
}

static bool take_function(pstats *p, uint32_t *function)
{
    marshal_value v[3];
    const uint8_t *at = p->in.bytes.at;
    if (!marshal_take_tuple(&p->in, v, 3))
        return false;
    if (!is_function(v)) {
        brz_bytes_fail_at(&p->in.bytes, at, "not a file, a line and a name");
        return false;
    }
    *function = function_of(p, v);
    return true;
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Returns a time in nanoseconds. Makes the input fail if it is out of range. */
static int64_t nanoseconds(marshal *m, const marshal_value *v)
{
    double time = v->kind == MARSHAL_TEXT ? NAN : v->number * 1e9;
    if (time > -9e18 && time < 9e18)
        return llround(time);
    brz_bytes_fail(&m->bytes, "a time that is not a number of seconds");
    return 0;
}

/* Returns a number of calls, likewise. */
static int64_t calls_of(marshal *m, const marshal_value *v)
{
    if (v->kind == MARSHAL_INTEGER && v->integer >= 0 && v->integer <= CALLS_MAX)
        return v->integer;
    brz_bytes_fail(&m->bytes, "not a number of calls");
    return 0;
}

/* ---- the profile ----------------------------------------------------------------------------- */

/* The calls of a function and the time that they took, with that of its callees. */
typedef struct totals {
    int64_t calls, time;
    bool has_times; /* those of its callers are known */
} totals;

/* Adds a cost to that of a call. The cost is not 0: some calls take no time. */
static void add_cost(pstats *p, uint32_t call, int64_t cost)
{
    p->costs[TIME] = p->costs[CALLS] = cost > 0 ? cost + 1 : 1;
    call_graph_add_cost(&p->graph, call, p->costs);
}

/* Takes the caller of a function and what its calls cost, which is subtracted from the totals. */
static bool take_edge(pstats *p, uint32_t callee, totals *rest)
{
    marshal *m = &p->in;
    marshal_value v[4] = {{0}};
    int64_t calls = 0, time = 0;
    uint32_t caller;
    if (!take_function(p, &caller))
        return false;
    bool has_times = !marshal_is_integer(m);
    if (has_times ? marshal_take_tuple(m, v, 4) : marshal_take(m, v))
        calls = calls_of(m, &v[0]);
    if (has_times && m->bytes.error == NULL)
        time = nanoseconds(m, &v[3]);
    if (m->bytes.error != NULL)
        return false;
    rest->has_times = has_times;
    call_graph_sum(&p->graph, &rest->calls, -calls);
    call_graph_sum(&p->graph, &rest->time, -time);
    add_cost(p, call_graph_call(&p->graph, caller, callee), has_times ? time : calls);
    return true;
}

/* Takes the callers of a function. Calls that none of them made came from outside of the profile,
 * such as that of the whole program. */
static bool take_callers(pstats *p, uint32_t function, totals rest)
{
    bool has_callers = false;
    while (marshal_has_key(&p->in)) {
        if (!take_edge(p, function, &rest))
            return false;
        has_callers = true;
    }
    if (p->in.bytes.error != NULL)
        return false;
    if (has_callers && rest.calls > 0)
        add_cost(p, call_graph_call_from_outside(&p->graph, function),
                 rest.has_times ? rest.time : rest.calls);
    return true;
}

/* Takes a function with its costs and callers. */
static bool take_row(pstats *p)
{
    marshal *m = &p->in;
    marshal_value v[4] = {{0}};
    uint32_t function;
    if (!take_function(p, &function) || !marshal_open_tuple(m, 5))
        return false;
    for (size_t i = 0; i < 4; i++)
        marshal_take(m, &v[i]);
    if (m->bytes.error != NULL || !marshal_open_dictionary(m))
        return false;
    const int64_t own[COLUMNS] = {[TIME] = nanoseconds(m, &v[2]), [CALLS] = calls_of(m, &v[1])};
    if (m->bytes.error != NULL)
        return false;
    call_graph_add_own(
        &p->graph, call_graph_place(&p->graph, function, p->graph.functions[function].frame), own);
    return take_callers(p, function, (totals){.calls = own[CALLS], .time = nanoseconds(m, &v[3])});
}

static void report_error(pstats *p)
{
    const brz_bytes *b = &p->in.bytes;
    brz_ctx *ctx = p->dump.ctx;
    if (b->error == NULL)
        return;
    p->key.len = 0;
    brz_text_append(&p->key, ctx, brz_str_of_text(b->error));
    brz_text_append(&p->key, ctx, BRZ_STR(": the rest is left out"));
    brz_report_lost(ctx, "pstats.value", b->error_at, 0, brz_text_str(&p->key));
}

/* Reports what follows the end of the profile. */
static void check_end(const pstats *p)
{
    const brz_bytes *b = &p->in.bytes;
    if (b->error == NULL && brz_bytes_left(b) > 0)
        brz_report_lost(p->dump.ctx, "pstats.another", b->at, 0,
                        BRZ_STR("another profile follows, which is not read: name each file by "
                                "itself"));
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    pstats *p = ctx->inst;
    uint32_t weights[COLUMNS];
    *used = chunk->len;
    marshal_start(&p->in, ctx, chunk->data, chunk->len);
    if (marshal_open_dictionary(&p->in))
        while (marshal_has_key(&p->in) && take_row(p))
            ;
    report_error(p);
    check_end(p);
    weights[TIME] = dump_declare(ctx, BRZ_STR("time"), BRZ_STR("nanoseconds"));
    weights[CALLS] = dump_declare(ctx, BRZ_STR("calls"), BRZ_STR("calls"));
    return call_graph_fold(&p->graph, &p->dump.stacks, weights);
}

/* ---- plug-in --------------------------------------------------------------------------------- */

/* Recognises a dictionary whose first key is a function and whose first value has five parts. */
static int32_t sniff(const brz_head *head)
{
    marshal m;
    marshal_value v[3] = {{0}};
    marshal_start(&m, NULL, head->data, head->len);
    bool good = marshal_open_dictionary(&m) && marshal_take_tuple(&m, v, 3) && is_function(v) &&
                marshal_open_tuple(&m, 5);
    return good ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}

static brz_rc open_instance(brz_ctx *ctx)
{
    pstats *p = ctx->inst;
    call_graph_init(&p->graph, ctx, COLUMNS, true);
    brz_frame_cache_init(&p->functions, ctx);
    return dump_open(ctx);
}

static const char *const globs[] = {"*.pstats", NULL};

SHIPPED_READER(pstats, .flags = BRZ_BINARY | BRZ_WHOLE_INPUT, .open = open_instance,
               .finish = dump_finish, .globs = globs)

BRZ_HINTS(BRZ_IF_NAME("*.pstats") BRZ_IF_BEGINS("{") BRZ_IF_BEGINS("\xfb"))

SHIPPED_COLLAPSER("pstats", .summary = "profiles of Python's cProfile",
                  .help = "Record with `python3 -m cProfile -o prog.pstats prog.py`. Stacks are "
                          "estimated from the times of calls. Times and numbers of calls are "
                          "weights: see --weight.")
