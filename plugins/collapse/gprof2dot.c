/* SPDX-License-Identifier: MIT */
/* Collapses profiles for gprof2dot in JSON:
 *
 *     profile  := {"version": 0, "costs": [cost*], "functions": [function*], "events": [event*]}
 *     cost     := {"description": "…", "unit": "…"}
 *     function := {"name": "…", "module": "…"}
 *     event    := {"callchain": [index*], "cost": [number*]}
 *
 * Indices of functions run from leaf to root. Each cost is a column. Members may be in any order.
 */
#include "../common/dump/dump.h"
#include "../common/json/column.h"
#include "../common/json/members.h"
#include "../common/json/text.h"

/* Maximum number of costs. */
#define MOST_COSTS 32

enum { COSTS, FUNCTIONS, EVENTS, N_MEMBERS };

typedef struct gprof2dot {
    dump dump;
    brz_json_token members[N_MEMBERS];
    brz_text name, module;
    brz_frame_list frames; /* of the functions */
    column columns[MOST_COSTS];
    size_t n_columns;
} gprof2dot;

/* ---- costs and functions --------------------------------------------------------------------- */

static void read_cost(gprof2dot *g, cursor *c)
{
    static const char *const keys[] = {"description", "unit"};
    brz_json_token values[2] = {{0}};
    brz_ctx *ctx = g->dump.ctx;
    members_enter(c, keys, 2, values);
    column cost = {.name = json_text(ctx, &values[0]), .unit = json_text(ctx, &values[1])};
    if (cost.name.len == 0)
        cost.name = BRZ_STR("cost");
    if (cost.unit.len == 0)
        cost.unit = cost.name;
    cost.most = column_most(cost.unit);
    column_declare(&cost, ctx, 0);
    g->columns[g->n_columns++] = cost;
}

static void read_function(gprof2dot *g, cursor *c)
{
    static const char *const keys[] = {"name", "module"};
    brz_json_token values[2] = {{0}};
    brz_ctx *ctx = g->dump.ctx;
    brz_frame_desc f = {0};
    members_enter(c, keys, 2, values);
    g->dump.text.len = 0;
    f.name = dump_repaired(&g->dump, json_text_into(&g->name, ctx, &values[0]));
    f.module = json_text_into(&g->module, ctx, &values[1]);
    brz_frame_list_push(&g->frames, ctx, dump_frame(&g->dump, &f));
}

static void read_tables(gprof2dot *g)
{
    brz_ctx *ctx = g->dump.ctx;
    cursor c;
    if (members_open(&c, ctx, &g->members[COSTS], BRZ_JSON_ARRAY))
        while (g->n_columns < MOST_COSTS && cursor_element(&c))
            read_cost(g, &c);
    if (members_open(&c, ctx, &g->members[FUNCTIONS], BRZ_JSON_ARRAY))
        while (cursor_element(&c))
            read_function(g, &c);
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Reads the costs of an event. Returns false without a cost, and if one is not a number. */
static bool read_costs(gprof2dot *g, const brz_json_token *costs, amount *amounts, size_t *n)
{
    cursor c;
    *n = 0;
    if (!members_open(&c, g->dump.ctx, costs, BRZ_JSON_ARRAY))
        return false;
    while (cursor_element(&c)) {
        bool good =
            *n < g->n_columns && column_read(&g->columns[*n], g->dump.ctx, &c.token, &amounts[*n]);
        cursor_skip(&c);
        if (!good)
            return false;
        ++*n;
    }
    return *n > 0;
}

static brz_rc count_costs(gprof2dot *g, const amount *amounts, size_t n)
{
    dump *d = &g->dump;
    brz_rc rc = BRZ_OK;
    brz_stacks_begin_sample(&d->stacks);
    for (size_t i = 0; i < n && rc == BRZ_OK; i++) {
        column *cost = &g->columns[i];
        rc = column_refine(cost, d->ctx, &d->stacks, amounts[i].decimals);
        if (rc == BRZ_OK)
            rc = brz_stacks_count(&d->stacks, d->ctx, cost->weight,
                                  amount_in(amounts[i], cost->decimals));
    }
    brz_stacks_end_sample(&d->stacks);
    return rc;
}

static brz_rc read_event(gprof2dot *g, cursor *c)
{
    static const char *const keys[] = {"callchain", "cost"};
    brz_json_token values[2] = {{0}};
    amount amounts[MOST_COSTS];
    brz_ctx *ctx = g->dump.ctx;
    const char *begin = c->at;
    size_t n;
    members_enter(c, keys, 2, values);
    brz_path_cut(g->dump.stacks.path, 0);
    if (members_push_frames(ctx, &values[0], &g->frames, g->dump.stacks.path) &&
        read_costs(g, &values[1], amounts, &n))
        return count_costs(g, amounts, n);
    brz_report_lost(ctx, "gprof2dot.event", begin, (size_t)(c->at - begin),
                    BRZ_STR("an event without known functions and costs: left out"));
    return BRZ_OK;
}

static brz_rc read_events(gprof2dot *g)
{
    brz_rc rc = BRZ_OK;
    cursor c;
    if (members_open(&c, g->dump.ctx, &g->members[EVENTS], BRZ_JSON_ARRAY))
        while (rc == BRZ_OK && cursor_element(&c))
            rc = read_event(g, &c);
    brz_path_cut(g->dump.stacks.path, 0);
    return rc;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    static const char *const codes[] = {"gprof2dot.json", "gprof2dot.cut-off"};
    static const char *const keys[N_MEMBERS] = {"costs", "functions", "events"};
    gprof2dot *g = ctx->inst;
    *used = chunk->len;
    members_of_input(ctx, chunk, codes, keys, N_MEMBERS, g->members);
    read_tables(g);
    return read_events(g);
}

/* ---- plug-in --------------------------------------------------------------------------------- */

/* Recognises costs beside functions or events, which may be empty if both are there. */
static int32_t sniff(const brz_head *head)
{
    static const char *const paths[] = {"costs.description", "functions.name", "events.callchain",
                                        "functions",         "events",         NULL};
    uint32_t found = cursor_paths(head, paths);
    bool has_tables = (found & 6) != 0 || (found & 24) == 24;
    return (found & 1) != 0 && has_tables ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}

SHIPPED_READER(gprof2dot, .flags = BRZ_WHOLE_INPUT, .open = dump_open, .finish = dump_finish)

BRZ_HINTS(BRZ_IF_CONTAINS("costs") BRZ_IF_CONTAINS("\\u00"))

SHIPPED_COLLAPSER("gprof2dot", .summary = "profiles for gprof2dot in JSON",
                  .help = "Each cost is a weight: see --weight.")
