/* Collapses CPU profiles of V8:
 *
 *     profile := {"nodes": [node*], "samples": [id*], "timeDeltas": [µs*], "startTime": µs, …}
 *              | {"head": node, "samples": [id*], "timestamps": [µs*], …}     before Chrome 55
 *
 * A sample lasts until the next one. Without samples, the hits of the nodes count. tree.c reads the
 * nodes. Members may be in any order.
 */
#include <brazier/plugin.h>
#include <brazier/symbol.h>

#include "../json/column.h"
#include "../json/text.h"
#include "tree.h"

typedef struct profile {
    tree tree;
    brz_str samples, deltas, timestamps; /* arrays as written, which may be cut off */
    brz_json_token start;
    column time;
    uint32_t count; /* weight of the number of samples */
} profile;

/* The samples being read. */
typedef struct reading {
    profile *p;
    brz_ctx *ctx;
    cursor times;
    bool has_times, absolute; /* `times` has times, of which the first is the start, or deltas */
    amount now, last;         /* time of the sample that was read last, and of the latest one */
    brz_str id;               /* node of the sample that was read last, as written */
    uint32_t node;            /* its index, or NO_NODE */
    uint64_t untimed, backwards;
} reading;

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

static void read_document(profile *p, brz_ctx *ctx, brz_str text)
{
    static const char *const codes[] = {"cpuprofile.json", "cpuprofile.cut-off"};
    cursor c;
    brz_str key;
    cursor_start(&c, ctx, text);
    if (cursor_next(&c) && cursor_enter(&c, BRZ_JSON_OBJECT))
        while (cursor_member(&c, &key))
            read_top(p, &c, key);
    cursor_report(&c, codes);
    tree_connect(&p->tree, ctx);
}

/* ---- samples ------------------------------------------------------------------------------- */

/* Starts to read an array. Returns the number of its elements. */
static size_t begin_array(cursor *c, brz_ctx *ctx, brz_str array)
{
    cursor ahead;
    size_t n = 0;
    cursor_start(c, ctx, array);
    if (array.len == 0 || !cursor_next(c))
        return 0;
    for (ahead = *c; cursor_element(&ahead); n++)
        cursor_skip(&ahead);
    return n;
}

/* Declares the columns. The first one is the default. */
static void declare(profile *p, brz_ctx *ctx, bool has_times)
{
    brz_weight_desc d = {
        .struct_size = sizeof d, .name = BRZ_STR("samples"), .unit = BRZ_STR("samples")};
    if (has_times)
        column_declare(&p->time, ctx, 0);
    p->count = ctx->host->weight(ctx, &d);
}

static brz_rc refine(reading *r, uint32_t decimals)
{
    brz_rc rc = column_refine(&r->p->time, r->ctx, &r->p->tree.stacks, decimals);
    decimals = r->p->time.decimals;
    r->now = (amount){amount_in(r->now, decimals), decimals};
    r->last = (amount){amount_in(r->last, decimals), decimals};
    return rc;
}

/* Reads the time of the next sample. A time that is missing is that of the sample before. */
static brz_rc read_time(reading *r)
{
    amount a;
    brz_json_token t;
    if (!r->has_times)
        return BRZ_OK;
    if (!cursor_element(&r->times)) {
        r->untimed++;
        return BRZ_OK;
    }
    t = r->times.token;
    cursor_skip(&r->times);
    if (!column_read(&r->p->time, &t, &a)) {
        BRZ_WARN(r->ctx, "cpuprofile.time", t.text.data, t.text.len,
                 "not a number, or too large: taken for no time");
        return BRZ_OK;
    }
    brz_rc rc = refine(r, a.decimals);
    int64_t value = amount_in(a, r->p->time.decimals);
    if (r->absolute)
        r->now.value = value;
    else
        brz_stacks_sum(&r->p->tree.stacks, &r->now.value, value);
    return rc;
}

/* Converts a time to nanoseconds. */
static int64_t nanoseconds(amount a)
{
    int64_t value = amount_in(a, 3);
    for (uint32_t d = a.decimals; d > 3; d--)
        value /= 10;
    return value;
}

/* Reports a sample whose node is unknown. */
static void leave_out(const reading *r, int64_t lasted)
{
    brz_report_lost_weight(r->ctx, "cpuprofile.sample", r->id.data, r->id.len,
                           BRZ_STR("not the id of a node: the sample is left out"),
                           !r->has_times ? 1
                           : lasted > 0  ? lasted
                                         : 0);
}

/* Counts the sample that was read last; it ends now. */
static brz_rc end_sample(reading *r)
{
    int64_t lasted = time_passed(r->last.value, r->now.value);
    r->backwards += lasted < 0;
    brz_rc rc = BRZ_OK;
    brz_stacks *s = &r->p->tree.stacks;
    brz_stacks_place(s, BRZ_NO_TAG, r->has_times ? BRZ_TIMED : 0,
                     r->has_times ? nanoseconds(r->last) : 0);
    if (r->node == NO_NODE)
        leave_out(r, lasted);
    if (r->node != NO_NODE && lasted > 0)
        rc = tree_count(&r->p->tree, r->ctx, r->node, r->p->time.weight, lasted);
    if (r->node != NO_NODE && rc == BRZ_OK)
        rc = tree_count(&r->p->tree, r->ctx, r->node, r->p->count, 1);
    if (lasted > 0)
        r->last = r->now;
    return rc;
}

/* Counts the last sample. It ends with a further time, if there is one. A last sample of the root
 * only ends the one before. */
static brz_rc end_samples(reading *r)
{
    if (r->node != NO_NODE && r->has_times && r->p->tree.nodes[r->node].is_top)
        return BRZ_OK;
    cursor more = r->times;
    brz_rc rc = r->has_times && cursor_element(&more) ? read_time(r) : BRZ_OK;
    return rc == BRZ_OK ? end_sample(r) : rc;
}

/* Returns the time at which the first delta begins. */
static amount start_of(const profile *p)
{
    amount start;
    return column_read(&p->time, &p->start, &start) ? start : (amount){0, 0};
}

static brz_rc read_samples(reading *r, cursor *samples)
{
    bool first = true;
    brz_rc rc = BRZ_OK;
    for (; rc == BRZ_OK && cursor_element(samples); first = false) {
        brz_json_token id = samples->token;
        cursor_skip(samples);
        rc = read_time(r);
        if (first)
            r->last = r->now;
        else if (rc == BRZ_OK)
            rc = end_sample(r);
        r->id = id.text;
        r->node = tree_find(&r->p->tree, &id);
    }
    return rc == BRZ_OK && !first ? end_samples(r) : rc;
}

static brz_rc count_samples(profile *p, brz_ctx *ctx)
{
    reading r = {.p = p, .ctx = ctx, .node = NO_NODE, .absolute = p->deltas.len == 0};
    cursor samples;
    size_t n_samples = begin_array(&samples, ctx, p->samples);
    size_t n_times = begin_array(&r.times, ctx, r.absolute ? p->timestamps : p->deltas);
    r.has_times = n_samples > 1 && n_times > 1;
    if (r.absolute && n_times > n_samples && cursor_element(&r.times))
        cursor_skip(&r.times); /* the first time is that at which the recording began */
    declare(p, ctx, r.has_times);
    if (r.has_times && !r.absolute)
        r.now = start_of(p);
    brz_rc rc = refine(&r, r.now.decimals);
    if (rc == BRZ_OK)
        rc = read_samples(&r, &samples);
    json_warn_count(ctx, "cpuprofile.untimed", r.untimed, 0,
                    BRZ_STR("samples without a time of their own last no time ({count})"));
    json_warn_count(
        ctx, "cpuprofile.backwards", r.backwards, 0,
        BRZ_STR("samples are earlier than those before them: taken for as late ({count})"));
    return rc;
}

/* Counts the hits of nodes, for a profile without samples. */
static brz_rc count_hits(profile *p, brz_ctx *ctx)
{
    brz_rc rc = BRZ_OK;
    declare(p, ctx, false);
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
    read_document(p, ctx, brz_str_of((const char *)chunk->data, chunk->len));
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

static const brz_collapser collapser = {
    .struct_size = sizeof collapser,
    .flags = BRZ_WHOLE_INPUT,
    .inst_size = sizeof(profile),
    .globs = globs,
    .sniff = sniff,
    .open = open_instance,
    .parse = parse,
    .finish = finish,
};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_COLLAPSER,
    .id = "cpuprofile",
    .summary = "CPU profiles of V8: Node.js, Deno, Chrome",
    .help = "Record with `node --cpu-prof SCRIPT`, or save a profile in Chrome's developer tools. "
            "Time and number of samples are weights: see --weight.",
    .vtable = &collapser,
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("cpuprofile", BRZ_SHIPPED_VERSION, "MIT", BRZ_SHIPPED_URL, components)
