/* SPDX-License-Identifier: MIT */
/* Collapses CPU profiles of V8:
 *
 *     profile := {"nodes": [node*], "samples": [id*], "timeDeltas": [µs*], "startTime": µs, …}
 *              | {"head": node, "samples": [id*], "timestamps": [µs*], …}     before Chrome 55
 *
 * Without samples, the hits of the nodes count. tree.c reads the nodes, timeline.c the samples.
 * Members may be in any order.
 */
#include <brazier/plugin.h>
#include <brazier/symbol.h>

#include "../../common/json/column.h"
#include "../../common/shipped.h"
#include "../../common/v8/timeline.h"
#include "../../common/v8/tree.h"

typedef struct profile {
    tree tree;
    brz_str samples, deltas, timestamps; /* arrays as written, which may be cut off */
    brz_json_token start;
    column time;
    uint32_t count; /* weight of the number of samples */
} profile;

static brz_rc open_instance(brz_ctx *ctx)
{
    profile *p = ctx->inst;
    tree_init(&p->tree, ctx, "hitCount");
    p->time = (column){
        .name = BRZ_STR("time"), .unit = BRZ_STR("microseconds"), .weight = UINT32_MAX, .most = 9};
    return BRZ_OK;
}

/* ---- the document -------------------------------------------------------------------------- */

static void read_top(profile *p, cursor *c, brz_str key)
{
    if (brz_json_text_is(key, BRZ_STR("nodes")) && c->token.kind == BRZ_JSON_ARRAY)
        tree_read(&p->tree, c);
    else if (brz_json_text_is(key, BRZ_STR("head")) && c->token.kind == BRZ_JSON_OBJECT)
        tree_read(&p->tree, c);
    else if (brz_json_text_is(key, BRZ_STR("samples")))
        p->samples = cursor_array(c);
    else if (brz_json_text_is(key, BRZ_STR("timeDeltas")))
        p->deltas = cursor_array(c);
    else if (brz_json_text_is(key, BRZ_STR("timestamps")))
        p->timestamps = cursor_array(c);
    else {
        if (brz_json_text_is(key, BRZ_STR("startTime")))
            p->start = c->token;
        cursor_skip(c);
    }
}

static void read_document(profile *p, brz_ctx *ctx, const brz_chunk *chunk)
{
    static const char *const codes[] = {"cpuprofile.json", "cpuprofile.cut-off"};
    cursor c;
    brz_str key;
    if (cursor_open(&c, ctx, chunk))
        while (cursor_member(&c, &key))
            read_top(p, &c, key);
    cursor_report(&c, codes);
    tree_connect(&p->tree, ctx);
}

/* ---- samples ------------------------------------------------------------------------------- */

/* Declares the columns. The first one is the default. */
static void declare(profile *p, brz_ctx *ctx, bool has_times)
{
    if (has_times)
        column_declare(&p->time, ctx, 0);
    p->count = BRZ_DECLARE_COLUMN(ctx, .name = BRZ_STR("samples"), .unit = BRZ_STR("samples"),
                                  .flags = BRZ_COLUMN_SAMPLES);
}

static brz_rc count_samples(profile *p, brz_ctx *ctx)
{
    timeline t = {.start = p->start, .absolute = p->deltas.len == 0};
    timeline_part part = {p->samples, t.absolute ? p->timestamps : p->deltas};
    timeline_add(&t, ctx, &part);
    timeline_measure(&t, ctx);
    declare(p, ctx, t.has_times);
    return timeline_count(&t, ctx, &p->tree, &p->time, p->count);
}

/* Counts the hits of nodes, for a profile without samples. */
static brz_rc count_hits(profile *p, brz_ctx *ctx)
{
    brz_rc rc = BRZ_OK;
    declare(p, ctx, false);
    if (timeline_has_elements(ctx, p->deltas) || timeline_has_elements(ctx, p->timestamps))
        BRZ_WARN(ctx, "cpuprofile.samples", NULL, 0,
                 "times without samples: the hits of the nodes count");
    for (uint32_t i = 0; i < p->tree.n_nodes && rc == BRZ_OK; i++) {
        int64_t own = tree_own(&p->tree, ctx, i);
        if (own > 0)
            rc = tree_count(&p->tree, ctx, i, p->count, own);
    }
    return rc;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    profile *p = ctx->inst;
    *used = chunk->len;
    read_document(p, ctx, chunk);
    return p->samples.len > 0 ? count_samples(p, ctx) : count_hits(p, ctx);
}

static brz_rc finish(brz_ctx *ctx)
{
    profile *p = ctx->inst;
    return brz_stacks_flush(&p->tree.stacks, ctx);
}

/* ---- format detection ---------------------------------------------------------------------- */

static int32_t sniff(const brz_head *head)
{
    static const char *const paths[] = {"nodes.callFrame.functionName", "head.functionName",
                                        "head.callFrame", "head.hitCount", NULL};
    uint32_t found = cursor_paths(head, paths);
    bool old = (found & 6) != 0 && (found & 8) != 0;
    return (found & 1) != 0 || old ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}

/* ---- plug-in ------------------------------------------------------------------------------- */

static const char *const globs[] = {"*.cpuprofile", NULL};

SHIPPED_READER(profile, .flags = BRZ_WHOLE_INPUT, .globs = globs, .open = open_instance,
               .finish = finish)

BRZ_HINTS(BRZ_IF_NAME("*.cpuprofile") BRZ_IF_CONTAINS("callFrame") BRZ_IF_CONTAINS("hitCount")
              BRZ_IF_CONTAINS("\\u00"))

SHIPPED_COLLAPSER(
    "cpuprofile", .summary = "CPU profiles of V8: Node.js, Deno, Chrome",
    .help = "Record with `node --cpu-prof SCRIPT`, or save a profile in Chrome's developer tools. "
            "Time and number of samples are weights: see --weight.")
