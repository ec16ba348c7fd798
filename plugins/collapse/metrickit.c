/* SPDX-License-Identifier: MIT */
/* Collapses diagnostics of MetricKit, Apple's framework, in JSON:
 *
 *     input   := payload | tree | [(payload | tree)*]
 *     payload := {kind: [{"callStackTree": tree, …}*], …}
 *     tree    := {"callStacks": [stack*], "callStackPerThread": bool} | {"callStackTree": tree, …}
 *     stack   := {"callStackRootFrames": [frame*], …}
 *     frame   := {"binaryName": text, "binaryUUID": text, "offsetIntoBinaryTextSegment": n,
 *                 "sampleCount": n, "address": n, "subFrames": [frame*]}
 *
 * A tree of samples begins at the roots, and counts include those of the frames below. With
 * callStackPerThread, each root frame is the leaf of the stack of a thread, which leads to the
 * callers. Members may be in any order.
 */
#include "../common/shipped.h"

#include <brazier/symbol.h>

#include <stdio.h>

#include "../common/json/call_tree.h"
#include "../common/json/members.h"
#include "../common/json/text.h"

typedef struct options {
    bool addrs;
} options;

typedef struct metrickit {
    call_tree tree; /* first, for call_tree_finish() */
    brz_text binary, uuid;
    brz_text name;
    enum { UNKNOWN, SAMPLES, THREADS } kind; /* of the current tree */
    bool has_stacks;                         /* the current tree has a list of them */
    brz_rc rc;
} metrickit;

/* ---- frames ---------------------------------------------------------------------------------- */

enum { BINARY, UUID, OFFSET, COUNT, ADDRESS };

static const char *const keys[] = {"binaryName",  "binaryUUID", "offsetIntoBinaryTextSegment",
                                   "sampleCount", "address",    NULL};
static const char *const children[] = {"subFrames", NULL};

/* Names a frame "[Foundation]", or "Foundation+0x2a" with its offset. */
static void append_name(metrickit *m, brz_ctx *ctx, brz_str binary, int64_t offset)
{
    const options *o = ctx->cfg;
    char digits[24];
    int n = snprintf(digits, sizeof digits, "+0x%llx", (unsigned long long)offset);
    m->name.len = 0;
    brz_text_append(&m->name, ctx, o->addrs ? BRZ_STR("") : BRZ_STR("["));
    brz_text_append(&m->name, ctx, binary.len > 0 ? binary : BRZ_STR("unknown"));
    brz_text_append(&m->name, ctx, o->addrs ? brz_str_of(digits, (size_t)n) : BRZ_STR("]"));
}

/* Returns the hexadecimal digits of a UUID, which is the build id of a binary. */
static brz_str build_id_of(brz_text *uuid)
{
    size_t n = 0;
    for (size_t i = 0; i < uuid->len; i++)
        if (brz_is_hex(uuid->data[i]))
            uuid->data[n++] = uuid->data[i];
    uuid->len = n;
    return brz_text_str(uuid);
}

static void describe(void *instance, brz_ctx *ctx, const brz_json_token *members, bool is_root,
                     call_description *d)
{
    metrickit *m = instance;
    brz_str binary = json_text_into(&m->binary, ctx, &members[BINARY]);
    int64_t offset = 0, address = 0;
    (void)is_root;
    members_integer(ctx, &members[OFFSET], &offset);
    members_integer(ctx, &members[ADDRESS], &address);
    append_name(m, ctx, binary, offset);
    d->frame.name = brz_text_str(&m->name);
    d->frame.module = binary;
    json_text_into(&m->uuid, ctx, &members[UUID]);
    d->frame.build_id = build_id_of(&m->uuid);
    d->frame.address = (uint64_t)address;
    d->frame.kind = BRZ_KIND_USER;
    d->value = members[COUNT];
}

static const call_format format = {.keys = keys, .children = children, .describe = describe};

/* ---- stacks ---------------------------------------------------------------------------------- */

/* Counts the stacks of threads, each once: the last frame of each is the outermost one. */
static brz_rc count_threads(call_tree *t, brz_ctx *ctx)
{
    brz_rc rc = BRZ_OK;
    int64_t one = brz_power_of_ten(t->column.decimals);
    for (size_t i = 0; i < t->n_nodes && rc == BRZ_OK; i++) {
        const call_node *n = &t->nodes[i];
        if (n->has_called)
            continue;
        brz_path_cut(t->stacks.path, 0);
        for (uint32_t k = (uint32_t)i; k != CALL_NO_NODE; k = t->nodes[k].caller)
            brz_path_push(t->stacks.path, ctx, t->nodes[k].frame);
        rc = brz_stacks_count(&t->stacks, ctx, t->column.weight, one);
    }
    return rc;
}

/* Returns whether a tree that does not say so has the stacks of threads: frames with one sample and
 * one sub-frame. */
static bool has_threads(const call_tree *t)
{
    for (size_t i = 0; i < t->n_nodes; i++) {
        const call_node *n = &t->nodes[i];
        bool follows = n->caller == CALL_NO_NODE || n->caller + 1 == i;
        if (!follows || (n->has_value && n->value.value > 1))
            return false;
    }
    return true;
}

/* Counts the tree that was read, and forgets it. */
static void end_tree(metrickit *m, brz_ctx *ctx)
{
    call_tree *t = &m->tree;
    if (m->kind == UNKNOWN)
        m->kind = has_threads(t) ? THREADS : SAMPLES;
    if (m->rc == BRZ_OK)
        m->rc = m->kind == THREADS ? count_threads(t, ctx) : call_tree_count(t, ctx);
    t->n_nodes = 0;
    m->kind = UNKNOWN;
    m->has_stacks = false;
}

/* Reads the frames of the stack that has begun. */
static void read_stack(metrickit *m, cursor *c)
{
    brz_str key;
    const char *begin = c->token.text.data;
    bool has_frames = false;
    if (cursor_enter(c, BRZ_JSON_OBJECT))
        while (cursor_member(c, &key)) {
            bool frames = brz_json_text_is(key, BRZ_STR("callStackRootFrames"));
            has_frames |= frames && c->token.kind == BRZ_JSON_ARRAY;
            if (!frames || !cursor_enter(c, BRZ_JSON_ARRAY)) {
                cursor_skip(c);
                continue;
            }
            while (cursor_element(c))
                if (cursor_enter(c, BRZ_JSON_OBJECT))
                    call_tree_read(&m->tree, c);
        }
    if (!has_frames)
        brz_report_lost(c->ctx, "metrickit.stack", begin, 1,
                        BRZ_STR("a call stack without a list of frames: left out"));
}

/* Reads a member of a tree. Returns false for others, which are not skipped. */
static bool read_tree_member(metrickit *m, cursor *c, brz_str key)
{
    if (brz_json_text_is(key, BRZ_STR("callStackPerThread"))) {
        if (c->token.kind == BRZ_JSON_TRUE || c->token.kind == BRZ_JSON_FALSE)
            m->kind = c->token.kind == BRZ_JSON_TRUE ? THREADS : SAMPLES;
        cursor_skip(c);
        return true;
    }
    if (!brz_json_text_is(key, BRZ_STR("callStacks")) || c->token.kind != BRZ_JSON_ARRAY)
        return false;
    m->has_stacks = true;
    while (cursor_element(c))
        read_stack(m, c);
    return true;
}

/* Reads the object that is open, if it is a tree. */
static void read_tree(metrickit *m, cursor *c)
{
    brz_str key;
    const char *begin = c->token.text.data;
    while (cursor_member(c, &key))
        if (!read_tree_member(m, c, key))
            cursor_skip(c);
    if (!m->has_stacks)
        brz_report_lost(c->ctx, "metrickit.tree", begin, 1,
                        BRZ_STR("a call tree without a list of call stacks: left out"));
    end_tree(m, c->ctx);
}

/* ---- diagnostics ----------------------------------------------------------------------------- */

static const brz_str ends_kind = {"Diagnostics", 11};

/* Returns whether a member of a payload is a list of diagnostics. */
static bool is_diagnostics(brz_str key)
{
    return brz_ends_with(key, ends_kind);
}

/* Reads the value that has begun: a diagnostic with a tree, or, unless it is `certain`, another
 * one. */
static void read_diagnostic(metrickit *m, cursor *c, bool certain)
{
    brz_str key;
    const char *begin = c->token.text.data;
    bool has_tree = false;
    if (cursor_enter(c, BRZ_JSON_OBJECT))
        while (cursor_member(c, &key)) {
            bool is_tree =
                brz_json_text_is(key, BRZ_STR("callStackTree")) && c->token.kind == BRZ_JSON_OBJECT;
            has_tree |= is_tree;
            if (is_tree)
                read_tree(m, c);
            else
                cursor_skip(c);
        }
    if (!has_tree && certain)
        brz_report_lost(c->ctx, "metrickit.diagnostic", begin, 1,
                        BRZ_STR("a diagnostic without a call tree: left out"));
}

/* Sets the label of the stacks that follow: "hang" of "hangDiagnostics". */
static void set_label(metrickit *m, brz_ctx *ctx, brz_str key)
{
    brz_label label = {.key = BRZ_STR("diagnostic"), .text = key};
    brz_tag_desc tag = {.struct_size = sizeof tag, .label_size = sizeof label, .labels = &label};
    if (!(ctx->flags & BRZ_CTX_WANTS_TAGS) || !is_diagnostics(key))
        return;
    label.text.len -= ends_kind.len;
    tag.n_labels = 1;
    brz_stacks_place(&m->tree.stacks, ctx->host->tag(ctx, &tag), 0, 0);
}

/* Reads a payload or a tree: the object that is open. */
static void read_payload(metrickit *m, cursor *c)
{
    brz_str key;
    while (cursor_member(c, &key)) {
        if (read_tree_member(m, c, key))
            continue;
        if (c->token.kind == BRZ_JSON_OBJECT && brz_json_text_is(key, BRZ_STR("callStackTree"))) {
            read_tree(m, c);
        } else if (c->token.kind == BRZ_JSON_ARRAY) {
            set_label(m, c->ctx, key);
            while (cursor_element(c))
                read_diagnostic(m, c, is_diagnostics(key));
            brz_stacks_place(&m->tree.stacks, BRZ_NO_TAG, 0, 0);
        } else {
            cursor_skip(c);
        }
    }
    end_tree(m, c->ctx);
}

/* ---- entry points ---------------------------------------------------------------------------- */

static brz_rc open_instance(brz_ctx *ctx)
{
    metrickit *m = ctx->inst;
    call_tree_init(&m->tree, ctx, &format, m, BRZ_STR("samples"), BRZ_STR("samples"));
    m->tree.values = CALL_VALUES_TOTAL;
    brz_stacks_place(&m->tree.stacks, BRZ_NO_TAG, 0, 0);
    return BRZ_OK;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    static const char *const codes[] = {"metrickit.json", "metrickit.cut-off"};
    metrickit *m = ctx->inst;
    cursor c;
    *used = chunk->len;
    cursor_start(&c, ctx, brz_str_of((const char *)chunk->data, chunk->len));
    if (cursor_next(&c) && c.token.kind == BRZ_JSON_OBJECT) {
        read_payload(m, &c);
    } else if (cursor_enter(&c, BRZ_JSON_ARRAY)) {
        while (cursor_element(&c))
            if (cursor_enter(&c, BRZ_JSON_OBJECT))
                read_payload(m, &c);
    }
    if (m->rc == BRZ_OK)
        cursor_report(&c, codes);
    return m->rc;
}

static int32_t sniff(const brz_head *head)
{
    static const char *const paths[] = {
        "callStacks.callStackRootFrames",
        "callStackTree.callStacks.callStackRootFrames",
        "crashDiagnostics.callStackTree.callStacks.callStackRootFrames",
        "hangDiagnostics.callStackTree.callStacks.callStackRootFrames",
        "cpuExceptionDiagnostics.callStackTree.callStacks.callStackRootFrames",
        "diskWriteExceptionDiagnostics.callStackTree.callStacks.callStackRootFrames",
        "appLaunchDiagnostics.callStackTree.callStacks.callStackRootFrames",
        NULL};
    bool found = cursor_paths(head, paths) != 0 || cursor_element_paths(head, paths) != 0;
    return found ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static const brz_option option_table[] = {
    BRZ_OPTION(options, "addrs", BOOL, addrs, "false",
               "name frames by their binary and the offset in it, which symbolication needs"),
};

SHIPPED_READER(metrickit, .flags = BRZ_WHOLE_INPUT, .open = open_instance,
               .finish = call_tree_finish)

BRZ_HINTS(BRZ_IF_CONTAINS("callStackRootFrames") BRZ_IF_CONTAINS("\\u00"))

SHIPPED_COLLAPSER("metrickit", .summary = "diagnostics of MetricKit in JSON",
                  .help = "Write the jsonRepresentation() of the payloads that the app receives "
                          "into files.",
                  BRZ_OPTIONS(option_table, options))
