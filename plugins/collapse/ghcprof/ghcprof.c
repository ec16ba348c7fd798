/* SPDX-License-Identifier: MIT */
/* Collapses reports of GHC's profiler: text of `+RTS -p` and similar options (table.c), and JSON of
 * `+RTS -pj` (json.c).
 *
 * Both are call trees of cost centres with their self costs. A frame is "module.name".
 */
#include <brazier/plugin.h>
#include <brazier/symbol.h>

#include <string.h>

#include "costs.h"
#include "../../common/shipped.h"

/* Properties of the input, detected at its beginning. */
typedef struct prelude_result {
    bool is_json;
} prelude_result;

/* Returns whether a report is JSON, which may begin with a comment. No table does. */
static bool begins_json(brz_str report)
{
    brz_str text = brz_trim_start(report);
    return text.len > 0 && (text.data[0] == '{' || text.data[0] == '/');
}

static brz_rc prelude(brz_ctx *ctx, const brz_chunk *chunk, size_t *used, const void **prelude_data)
{
    prelude_result *r = ctx->host->alloc(ctx, sizeof *r, 0);
    r->is_json = begins_json(brz_str_of((const char *)chunk->data, chunk->len));
    *used = 0;
    *prelude_data = r;
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
    brz_stacks_init(&g->stacks, ctx, BRZ_NESTED);
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
    while (rc == BRZ_OK && brz_lines_take(&g->lines, chunk, &line))
        rc = table_line(g, ctx, line);
    *used = chunk->len - (rc == BRZ_OK ? brz_lines_rest(&g->lines).len : 0);
    if (rc == BRZ_OK && chunk->flags & BRZ_CHUNK_LAST && !g->seen_table)
        BRZ_WARN(ctx, "ghcprof.no-table", NULL, 0,
                 "there is no table of cost centre stacks ('COST CENTRE MODULE SRC no. …')");
    return rc;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    const prelude_result *r = ctx->prelude_data;
    return (r->is_json ? json_read : table_read)(ctx->inst, ctx, chunk, used);
}

static brz_rc finish(brz_ctx *ctx)
{
    ghcprof *g = ctx->inst;
    brz_rc rc = count_waiting(g, ctx);
    return rc == BRZ_OK ? brz_stacks_flush(&g->stacks, ctx) : rc;
}

/* ---- format detection ---------------------------------------------------------------------- */

static int32_t sniff(const brz_head *head)
{
    brz_str text = brz_str_of((const char *)head->data, head->len), line;
    if (begins_json(text)) {
        bool program = brz_str_has(text, BRZ_STR("\"rts_arguments\"")),
             centres = brz_str_has(text, BRZ_STR("\"cost_centres\""));
        return program || centres ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
    }
    columns found;
    for (size_t lines = 0; lines < 2000 && brz_take_line(&text, &line); lines++)
        if (table_begins(line, &found) ||
            (lines < 5 && brz_str_has(line, BRZ_STR(" Time and Allocation Profiling Report "))))
            return BRZ_SNIFF_HEADER;
    return BRZ_SNIFF_NO;
}

/* ---- plug-in ------------------------------------------------------------------------------- */

static const brz_option option_table[] = {
    BRZ_OPTION(options, "bytes", BOOL, bytes, "false",
               "count allocated bytes (needs +RTS -P or -pj)"),
    BRZ_OPTION(options, "ticks", BOOL, ticks, "false",
               "count ticks of the profiler's clock (needs +RTS -P or -pj)"),
    BRZ_OPTION(options, "time", BOOL, time, "false",
               "count shares of time in per mille, the default of the text form"),
};

static const char *const globs[] = {"*.prof", NULL};

SHIPPED_READER(ghcprof, .globs = globs, .prelude = prelude, .open = open_instance, .finish = finish)

BRZ_HINTS(BRZ_IF_NAME("*.prof") BRZ_IF_CONTAINS("rts_arguments") BRZ_IF_CONTAINS("cost_centres")
              BRZ_IF_CONTAINS("CENTRE") BRZ_IF_CONTAINS(" Time and Allocation Profiling Report "))

SHIPPED_COLLAPSER(
    "ghcprof", .summary = "GHC's time and allocation profiles, as text or JSON",
    .help = "Record with `program +RTS -P`, or with -pj for JSON. Times, ticks, bytes, shares of "
            "allocation and entries are weights: see --weight.",
    BRZ_OPTIONS(option_table, options))
