/* SPDX-License-Identifier: MIT */
/* Collapses sampling heap profiles of V8:
 *
 *     profile := {"head": node, "samples": [{"size": n, "nodeId": id, "ordinal": n}*]}
 *
 * tree.c reads the nodes, whose own bytes are "selfSize". Members may be in any order.
 */
#include <brazier/plugin.h>
#include <brazier/symbol.h>

#include "../../common/json/text.h"
#include "../../common/shipped.h"
#include "../../common/v8/tree.h"

typedef struct profile {
    tree tree;
    brz_str samples; /* array as written, which may be cut off */
    uint32_t bytes, count;
} profile;

static brz_rc open_instance(brz_ctx *ctx)
{
    profile *p = ctx->inst;
    tree_init(&p->tree, ctx, "selfSize");
    return BRZ_OK;
}

static void read_document(profile *p, brz_ctx *ctx, const brz_chunk *chunk)
{
    static const char *const codes[] = {"heapprofile.json", "heapprofile.cut-off"};
    cursor c;
    brz_str key;
    if (cursor_open(&c, ctx, chunk))
        while (cursor_member(&c, &key)) {
            if (brz_json_text_is(key, BRZ_STR("head")) && c.token.kind == BRZ_JSON_OBJECT)
                tree_read(&p->tree, &c);
            else if (brz_json_text_is(key, BRZ_STR("samples")))
                p->samples = cursor_array(&c);
            else
                cursor_skip(&c);
        }
    cursor_report(&c, codes);
    tree_connect(&p->tree, ctx);
}

/* ---- weights ------------------------------------------------------------------------------- */

static brz_rc count_bytes(profile *p, brz_ctx *ctx)
{
    brz_rc rc = BRZ_OK;
    for (uint32_t i = 0; i < p->tree.n_nodes && rc == BRZ_OK; i++) {
        int64_t own = tree_own(&p->tree, ctx, i);
        if (own > 0)
            rc = tree_count(&p->tree, ctx, i, p->bytes, own);
    }
    return rc;
}

/* Reads a sample. Returns the index of its node, or NO_NODE. */
static uint32_t read_sample(const profile *p, cursor *c)
{
    uint32_t index = NO_NODE;
    brz_str key;
    if (!cursor_enter(c, BRZ_JSON_OBJECT))
        return NO_NODE;
    while (cursor_member(c, &key)) {
        if (brz_json_text_is(key, BRZ_STR("nodeId")))
            index = tree_find(&p->tree, &c->token);
        cursor_skip(c);
    }
    return index;
}

static brz_rc count_samples(profile *p, brz_ctx *ctx)
{
    cursor c;
    brz_rc rc = BRZ_OK;
    cursor_start(&c, ctx, p->samples);
    if (p->samples.len == 0 || !cursor_next(&c))
        return BRZ_OK;
    p->count = BRZ_DECLARE_COLUMN(ctx, .name = BRZ_STR("samples"), .unit = BRZ_STR("samples"),
                                  .flags = BRZ_COLUMN_SAMPLES);
    while (rc == BRZ_OK && cursor_element(&c)) {
        brz_str at = c.token.text;
        uint32_t index = read_sample(p, &c);
        if (c.cut || c.failed)
            break;
        if (index != NO_NODE)
            rc = tree_count(&p->tree, ctx, index, p->count, 1);
        else
            BRZ_WARN(ctx, "heapprofile.sample", at.data, at.len,
                     "a sample without the id of a node: not counted as a sample");
    }
    return rc;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    profile *p = ctx->inst;
    *used = chunk->len;
    read_document(p, ctx, chunk);
    p->bytes = BRZ_DECLARE_COLUMN(ctx, .name = BRZ_STR("bytes"), .unit = BRZ_STR("bytes"));
    brz_rc rc = count_bytes(p, ctx);
    return rc == BRZ_OK ? count_samples(p, ctx) : rc;
}

static brz_rc finish(brz_ctx *ctx)
{
    profile *p = ctx->inst;
    return brz_stacks_flush(&p->tree.stacks, ctx);
}

/* ---- format detection ---------------------------------------------------------------------- */

static int32_t sniff(const brz_head *head)
{
    static const char *const paths[] = {"head.callFrame", "head.selfSize", "head.children.selfSize",
                                        NULL};
    uint32_t found = cursor_paths(head, paths);
    return (found & 1) != 0 && (found & 6) != 0 ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}

/* ---- plug-in ------------------------------------------------------------------------------- */

static const char *const globs[] = {"*.heapprofile", NULL};

SHIPPED_READER(profile, .flags = BRZ_WHOLE_INPUT, .globs = globs, .open = open_instance,
               .finish = finish)

BRZ_HINTS(BRZ_IF_NAME("*.heapprofile") BRZ_IF_CONTAINS("selfSize") BRZ_IF_CONTAINS("\\u00"))

SHIPPED_COLLAPSER(
    "heapprofile", .summary = "sampling heap profiles of V8: Node.js, Chrome",
    .help = "Record with `node --heap-prof SCRIPT`, or save a sampled allocation profile in "
            "Chrome's developer tools. Bytes and number of samples are weights: see --weight.")
