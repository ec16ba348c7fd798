/* SPDX-License-Identifier: MIT */
/* Writes the output "json": the call tree as nested objects, in the format of d3-flame-graph.
 *
 *     node := {"name": text, "value": total, extras…, "children": [node, …]}
 *
 * Extras are the other properties of the frame; readers ignore those they do not know. If samples
 * have labels, the root lists their sets, and nodes say how much of their own weight has each:
 *
 *     root := {…, "labels": [{}, {key: value, …}, …], …}
 *     node := {…, "samples": [[index of a set, weight], …], …}
 *
 * If the input contains several profiles, the root lists them by what their samples have in common:
 *
 *     root := {…, "profiles": [{"process": id, …, "start": s, "duration": s, …}, …], …}
 *
 * Objects nest as deep as the deepest stack, so they are closed by a loop, not by recursion.
 */
#include <brazier/plugin.h>
#include <brazier/symbol.h>
#include <brazier/write.h>

#include <stdlib.h>
#include <string.h>

#include "../../common/shipped.h"
#include "../common/calls.h"
#include "../common/label_sets.h"

/* The part of a node's own weight whose samples have the same labels. */
typedef struct part {
    uint32_t node, labels;
    int64_t value; /* in the run's weight, not 0 */
} part;

typedef struct parts {
    label_sets labels;
    part *items; /* sorted by node, then by labels */
    size_t n;    /* 0: there are no labels */
    size_t at;   /* the next part to be read */
} parts;

/* ---- numbering ---------------------------------------------------------------------------------
 */

/* Returns the number of leading frames with the same names. */
static uint32_t shared_names(const brz_tree *tree, const brz_stack_info *a, const brz_stack_info *b)
{
    uint32_t n = 0;
    while (a != NULL && n < a->n && n < b->n &&
           (a->frames[n] == b->frames[n] || brz_str_equal(brz_frame_at(tree, a->frames[n])->name,
                                                          brz_frame_at(tree, b->frames[n])->name)))
        n++;
    return n;
}

/* Returns the node in which each stack ends. Stacks are in the order of nodes; those without a
 * value in the run's weight have none. */
static uint32_t *find_ends(brz_output_ctx *ctx, const brz_tree *tree)
{
    uint32_t *ends = ctx->host->alloc(ctx, ((size_t)tree->n_stacks + 1) * sizeof *ends, 0);
    uint32_t *open = ctx->host->alloc(ctx, ((size_t)tree->max_depth + 1) * sizeof *open, 0);
    const brz_stack_info *last = NULL;
    uint32_t n = 1; /* number of nodes so far */
    for (uint32_t i = 0; i < tree->n_stacks; i++) {
        const brz_stack_info *s = brz_stack_at(tree, i);
        if (s->values[tree->main_column] == 0)
            continue;
        for (uint32_t k = shared_names(tree, last, s); k < s->n; k++)
            open[k + 1] = n++;
        ends[i] = open[s->n];
        last = s;
    }
    return ends;
}

/* ---- parts --------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    const part *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->labels != y->labels)
        return x->labels < y->labels ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

/* Adds up the parts of a node with the same labels, which are sorted, and drops sums of 0. */
static void add_up(parts *p)
{
    size_t n = 0;
    for (size_t i = 0, end; i < p->n; i = end) {
        part sum = p->items[i];
        for (end = i + 1;
             end < p->n && p->items[end].node == sum.node && p->items[end].labels == sum.labels;
             end++)
            sum.value = add_saturated(sum.value, p->items[end].value);
        if (sum.value != 0)
            p->items[n++] = sum;
    }
    p->n = n;
}

/* Divides the nodes' own weights. Without labels, in comparisons and in the order of time there are
 * no parts. The memory belongs to the plug-in instance. */
static void init_parts(parts *p, brz_output_ctx *ctx, const brz_tree *tree)
{
    *p = (parts){.n = 0};
    label_sets_init(&p->labels, ctx, tree);
    if (p->labels.n == 1)
        return;
    if (tree->flags & BRZ_TREE_TIME_ORDER) {
        brz_output_report(
            ctx, BRZ_NOTE, "json.labels",
            BRZ_STR("the labels of samples are left out, since stacks are in the order of time"));
        return;
    }
    const uint32_t *ends = find_ends(ctx, tree);
    p->items = ctx->host->alloc(ctx, (size_t)tree->n_samples * sizeof *p->items, 0);
    for (uint64_t i = 0; i < tree->n_samples; i++) {
        const brz_sample_info *s = brz_sample_at(tree, i);
        int64_t value = s->values[tree->main_column];
        if (value != 0 && brz_stack_at(tree, s->stack)->values[tree->main_column] != 0)
            p->items[p->n++] = (part){ends[s->stack], p->labels.of_tags[s->tag], value};
    }
    if (p->n > 0)
        qsort(p->items, p->n, sizeof *p->items, compare);
    add_up(p);
}

/* Returns whether the next part belongs to a node. */
static bool has_parts(const parts *p, uint32_t node)
{
    return p->at < p->n && p->items[p->at].node == node;
}

/* Stores the next part in *next. Returns false if it does not belong to the node. */
static bool next_part(parts *p, uint32_t node, part *next)
{
    if (!has_parts(p, node))
        return false;
    *next = p->items[p->at++];
    return true;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

typedef struct options {
    brz_str root;
    bool extras;
} options;

static const char *kind_name(uint32_t kind)
{
    static const char *const names[] = {NULL,  "process", "user", "kernel",
                                        "jit", "inlined", "waker"};
    return kind < BRZ_COUNT_OF(names) ? names[kind] : NULL;
}

static void put_extras(brz_writer *w, const brz_frame_info *f)
{
    const char *kind = kind_name(brz_frame_category(f->kind, f->flags));
    if (kind != NULL)
        brz_put_member(w, ",\"libtype\":", brz_str_of_text(kind));
    brz_put_member(w, ",\"module\":", f->module);
    brz_put_member(w, ",\"file\":", f->file);
    if (f->line > 0) {
        BRZ_PUT(w, ",\"line\":");
        brz_put_u64(w, f->line);
    }
}

/* Writes the sets of labels, which parts refer to. */
static void put_sets(brz_writer *w, const label_sets *labels)
{
    BRZ_PUT(w, ",\"labels\":[{}");
    for (uint32_t i = 1; i < labels->n; i++) {
        brz_put_char(w, ',');
        label_set_put(w, labels->items[i]);
    }
    brz_put_char(w, ']');
}

static void put_number(brz_writer *w, const char *key, int64_t value, uint32_t decimals)
{
    brz_put_text(w, key);
    brz_put_scaled(w, value, decimals);
}

/* Writes the members that the tags of a profile's samples have. */
static void put_tag(brz_writer *w, const brz_tag_info *tag)
{
    if (tag->flags & BRZ_TAG_PROCESS)
        put_number(w, ",\"process\":", tag->process, 0);
    brz_put_member(w, ",\"processName\":", tag->process_name);
    if (tag->flags & BRZ_TAG_THREAD)
        put_number(w, ",\"thread\":", tag->thread, 0);
    brz_put_member(w, ",\"threadName\":", tag->thread_name);
    if (tag->flags & BRZ_TAG_CPU)
        put_number(w, ",\"cpu\":", tag->cpu, 0);
    if (tag->n_labels > 0) {
        BRZ_PUT(w, ",\"labels\":");
        label_set_put(w, tag);
    }
}

/* Writes the profiles that the input contains. Times are in seconds. */
static void put_profiles(brz_writer *w, const brz_tree *tree)
{
    for (uint32_t i = 0; i < tree->n_parts; i++) {
        const brz_part_info *of = brz_part_at(tree, i);
        const brz_metadata *m = of->metadata;
        brz_put_text(w, i == 0 ? ",\"profiles\":[{\"number\":" : "},{\"number\":");
        brz_put_u64(w, i);
        put_tag(w, of->tag);
        if (m->start != 0)
            put_number(w, ",\"start\":", m->start, 9);
        if (m->duration != 0)
            put_number(w, ",\"duration\":", m->duration, 9);
        brz_put_member(w, ",\"producer\":", m->producer);
        brz_put_member(w, ",\"command\":", m->command);
        brz_put_member(w, ",\"host\":", m->host);
    }
    brz_put_text(w, tree->n_parts > 0 ? "}]" : "");
}

/* Writes the parts of a node, of which `p` begins with the first one. */
static void put_parts(brz_writer *w, parts *p, uint32_t node, uint32_t decimals)
{
    part next;
    for (bool first = true; next_part(p, node, &next); first = false) {
        brz_put_text(w, first ? ",\"samples\":[[" : ",[");
        brz_put_u64(w, next.labels);
        brz_put_char(w, ',');
        brz_put_scaled(w, next.value, decimals);
        brz_put_text(w, has_parts(p, node) ? "]" : "]]");
    }
}

/* Writes a node without its children. */
static void put_node(brz_writer *w, const options *o, const brz_tree *tree, uint32_t i, parts *p)
{
    uint32_t decimals = brz_column_at(tree, tree->main_column)->decimals;
    const brz_node *n = brz_node_at(tree, i);
    const brz_frame_info *f = brz_frame_at(tree, n->frame);
    BRZ_PUT(w, "{\"name\":");
    brz_put_json(w, i == 0 ? o->root : brz_display_name(f));
    BRZ_PUT(w, ",\"value\":");
    brz_put_scaled(w, n->total, decimals);
    if (o->extras && i > 0)
        put_extras(w, f);
    if (i == 0 && p->n > 0)
        put_sets(w, &p->labels);
    if (i == 0 && o->extras)
        put_profiles(w, tree);
    put_parts(w, p, i, decimals);
}

/* Says that programs which draw the values cannot draw negative ones. */
static void report_losses(brz_output_ctx *ctx, const brz_tree *tree)
{
    uint32_t i = 0;
    while (i < tree->n_nodes && brz_node_at(tree, i)->self >= 0)
        i++;
    if (i < tree->n_nodes)
        brz_output_report(ctx, BRZ_NOTE, "output.negative",
                          BRZ_STR("negative weights are kept, but programs that draw values as "
                                  "widths, such as d3-flame-graph, cannot draw them; svg and html "
                                  "draw gains and losses"));
}

static brz_rc write_json(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    const options *o = ctx->cfg;
    brz_writer w;
    parts p = {.n = 0};
    uint32_t depth = 0; /* depth of the node written last */
    if (o->extras)
        init_parts(&p, ctx, tree);
    report_losses(ctx, tree);
    brz_writer_init(&w, ctx, sink);
    for (uint32_t i = 0; i < tree->n_nodes && w.rc == BRZ_OK; i++) {
        uint32_t at = brz_node_at(tree, i)->depth;
        if (i > 0 && at > depth)
            BRZ_PUT(&w, ",\"children\":[");
        if (i > 0 && at <= depth)
            brz_put_char(&w, '}');
        for (; depth > at; depth--)
            BRZ_PUT(&w, "]}");
        if (i > 0 && at <= depth && brz_node_at(tree, i - 1)->depth >= at)
            brz_put_char(&w, ',');
        put_node(&w, o, tree, i, &p);
        depth = at;
    }
    brz_put_char(&w, '}');
    for (; depth > 0; depth--)
        BRZ_PUT(&w, "]}");
    brz_put_char(&w, '\n');
    return brz_writer_finish(&w);
}

static const brz_option option_table[] = {
    BRZ_OPTION(options, "root", STR, root, "root", "name of the outermost node"),
    BRZ_OPTION(options, "extras", BOOL, extras, "true",
               "include the module, file, line and kind of frames, and the labels of samples, "
               "where known"),
};

static const char *const endings[] = {"json", NULL};

SHIPPED_WRITER(write_json, "application/json",
               BRZ_OUTPUT_NODES | BRZ_OUTPUT_STACKS | BRZ_OUTPUT_TAGS)

SHIPPED_PLUGIN("json", BRZ_OUTPUT, &output,
               .summary = "the call tree as nested objects, for d3-flame-graph and scripts",
               BRZ_OPTIONS(option_table, options))
