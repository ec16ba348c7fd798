/* The collapser for the reports of GHC's profiler: `+RTS -p` and its like (table.c), and the JSON
 * of `+RTS -pj` (json.c).
 *
 * Both are call trees of cost centres, each with what it cost itself. A frame is "module.name".
 */
#include "ghcprof.h"

#include <brazier/plugin.h>
#include <brazier/symbol.h>

#include <string.h>

/* ---- what both forms need ------------------------------------------------------------------ */

bool parse_number(brz_str digits, int64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < digits.len; i++) {
        char c = digits.data[i];
        if (c < '0' || c > '9')
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
    const char *name = cost_names[cost].name, *unit = cost_names[cost].unit;
    brz_weight_desc d = {.struct_size = sizeof d,
                         .name = brz_str_of(name, strlen(name)),
                         .unit = brz_str_of(unit, strlen(unit))};
    g->weights[cost] = ctx->host->weight(ctx, &d);
    if (g->weights[cost] >= g->n_weights)
        g->n_weights = g->weights[cost] + 1;
}

bool declare_weights(ghcprof *g, brz_ctx *ctx, const bool has[COSTS], uint32_t dflt)
{
    const options *o = g->options;
    uint32_t first = o->time ? TIME : o->ticks ? TICKS : o->bytes ? BYTES : dflt;
    if (!has[first]) {
        brz_report(ctx, BRZ_FATAL, "ghcprof.costs", NULL, 0,
                   BRZ_STR("the report has no ticks and bytes: they need +RTS -P or -pj"));
        return false;
    }
    declare(g, ctx, first);
    for (uint32_t cost = 0; cost < COSTS; cost++)
        if (has[cost])
            declare(g, ctx, cost);
    return true;
}

/* "File.hs:(12,1)-(15,20)", "File.hs:12:1-20" */
static void take_source(brz_str source, brz_frame_desc *d)
{
    const char *colon = source.len == 0 ? NULL : memchr(source.data, ':', source.len);
    if (colon == NULL)
        return;
    const char *p = colon + 1, *end = source.data + source.len;
    p += p < end && *p == '(';
    size_t n = 0;
    while (p + n < end && p[n] >= '0' && p[n] <= '9')
        n++;
    int64_t line;
    if (!parse_number(brz_str_of(p, n), &line) || line > UINT32_MAX)
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
    for (size_t i = 0; i < t->len; i++)
        if (t->data[i] == ';')
            t->data[i] = ':';
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

/* A stack is stored once, for all of its costs. */
brz_rc count_waiting(ghcprof *g, brz_ctx *ctx)
{
    const int64_t *costs = g->waiting_costs;
    if (!g->waiting)
        return BRZ_OK;
    g->waiting = false;
    brz_stacks_entry stack = *brz_stacks_entry_of(&g->stacks, ctx, 0);
    for (size_t cost = 0; cost < COSTS; cost++) {
        if (g->weights[cost] >= g->n_weights || (costs[cost] == 0 && g->weights[cost] > 0))
            continue;
        stack.weight = g->weights[cost];
        brz_rc rc = brz_stacks_send(&g->stacks, ctx, &stack, costs[cost]);
        if (rc != BRZ_OK)
            return rc;
    }
    return BRZ_OK;
}

/* ---- the collapser's calls ----------------------------------------------------------------- */

/* What the beginning of the input tells. */
typedef struct prelude_result {
    bool is_json;
} prelude_result;

static brz_rc prelude(brz_ctx *ctx, const brz_chunk *chunk, size_t *used, const void **shared)
{
    prelude_result *r = ctx->host->alloc(ctx, sizeof *r, 0);
    brz_str text = brz_trim_start(brz_str_of((const char *)chunk->data, chunk->len));
    r->is_json = text.len > 0 && text.data[0] == '{';
    *used = 0;
    *shared = r;
    return BRZ_OK;
}

static brz_rc open_instance(brz_ctx *ctx)
{
    ghcprof *g = ctx->inst;
    const options *o = ctx->cfg;
    g->options = o;
    if (o->time + o->ticks + o->bytes > 1) {
        brz_report(ctx, BRZ_FATAL, "ghcprof.options", NULL, 0,
                   BRZ_STR("only one of time, ticks and bytes can be counted"));
        return BRZ_ERROR;
    }
    for (size_t cost = 0; cost < COSTS; cost++)
        g->weights[cost] = NO_WEIGHT;
    brz_lines_init(&g->lines, ctx);
    brz_stacks_init(&g->stacks, ctx, 0);
    brz_frame_cache_init(&g->frames, ctx);
    g->depths_cap = 64;
    g->depths = ctx->host->alloc(ctx, g->depths_cap * sizeof *g->depths, 0);
    json_init(&g->json, ctx);
    return BRZ_OK;
}

static brz_rc table_read(ghcprof *g, brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    brz_str line;
    brz_rc rc = BRZ_OK;
    brz_lines_start(&g->lines, chunk->data, chunk->len);
    while (rc == BRZ_OK && brz_lines_next(&g->lines, &line))
        rc = table_line(g, ctx, line);
    line = brz_lines_rest(&g->lines);
    *used = rc == BRZ_OK ? chunk->len - line.len : chunk->len;
    if (rc != BRZ_OK || !(chunk->flags & BRZ_CHUNK_LAST))
        return rc;
    *used = chunk->len;
    rc = table_line(g, ctx, line);
    if (rc == BRZ_OK && !g->seen_table)
        BRZ_WARN(ctx, "ghcprof.no-table", NULL, 0,
                 "there is no table of cost centre stacks ('COST CENTRE MODULE SRC no. …')");
    return rc;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    const prelude_result *r = ctx->shared;
    return (r->is_json ? json_read : table_read)(ctx->inst, ctx, chunk, used);
}

static brz_rc finish(brz_ctx *ctx)
{
    ghcprof *g = ctx->inst;
    brz_rc rc = count_waiting(g, ctx);
    return rc == BRZ_OK ? brz_stacks_flush(&g->stacks, ctx) : rc;
}

/* ---- recognising the format ---------------------------------------------------------------- */

static bool contains(brz_str s, brz_str needle)
{
    return brz_str_find(s, needle, 0) != SIZE_MAX;
}

static int32_t sniff(const brz_head *head)
{
    brz_str text = brz_str_of((const char *)head->data, head->len), line;
    brz_str start = brz_trim_start(text);
    if (start.len > 0 && start.data[0] == '{') {
        bool program = contains(text, BRZ_STR("\"rts_arguments\"")),
             centres = contains(text, BRZ_STR("\"cost_centres\""));
        return program || centres ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
    }
    columns found;
    for (size_t lines = 0; lines < 2000 && brz_take_line(&text, &line); lines++)
        if (table_begins(line, &found) ||
            (lines < 5 && contains(line, BRZ_STR(" Time and Allocation Profiling Report "))))
            return BRZ_SNIFF_HEADER;
    return BRZ_SNIFF_NO;
}

/* ---- the plug-in --------------------------------------------------------------------------- */

#define OPTION(name_, member_, help_)                                                              \
    {                                                                                              \
        .name = (name_), .type = BRZ_OPTION_BOOL, .offset = offsetof(options, member_),            \
        .dflt = "false", .help = (help_)                                                           \
    }

static const brz_option option_table[] = {
    OPTION("bytes", bytes, "count allocated bytes (needs +RTS -P or -pj)"),
    OPTION("ticks", ticks, "count ticks of the profiler's clock (needs +RTS -P or -pj)"),
    OPTION("time", time, "count shares of time in per mille, the default of the text form"),
};

static const char *const globs[] = {"*.prof", NULL};

static const brz_collapser collapser = {
    .struct_size = sizeof collapser,
    .inst_size = sizeof(ghcprof),
    .globs = globs,
    .sniff = sniff,
    .prelude = prelude,
    .open = open_instance,
    .parse = parse,
    .finish = finish,
};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_COLLAPSER,
    .id = "ghcprof",
    .summary = "GHC's time and allocation profiles, as text or JSON",
    .help = "Record with `program +RTS -P`, or with -pj for JSON. Times, ticks, bytes, shares of "
            "allocation and entries are weights: see --weight.",
    .options = option_table,
    .n_options = BRZ_COUNT_OF(option_table),
    .option_size = sizeof(brz_option),
    .cfg_size = sizeof(options),
    .vtable = &collapser,
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("ghcprof", BRZ_SHIPPED_VERSION, "MIT", BRZ_SHIPPED_URL, components)
