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
 * Objects nest as deep as the deepest stack, so they are closed by a loop, not by recursion.
 */
#include <brazier/plugin.h>
#include <brazier/write.h>

#include <string.h>

#include "../../common/shipped.h"
#include "parts.h"

typedef struct options {
    brz_str root;
    bool extras;
} options;

static const char *kind_name(uint32_t kind)
{
    static const char *const names[] = {NULL,  "process", "user", "kernel",
                                        "jit", "inlined", "waker"};
    return kind < sizeof names / sizeof names[0] ? names[kind] : NULL;
}

static void put_extra(brz_writer *w, const char *key, brz_str value)
{
    if (value.len == 0)
        return;
    brz_put_text(w, key);
    brz_put_json(w, value);
}

static void put_extras(brz_writer *w, const brz_frame_info *f)
{
    const char *kind = kind_name(brz_frame_category(f->kind, f->flags));
    if (kind != NULL)
        put_extra(w, ",\"libtype\":", brz_str_of(kind, strlen(kind)));
    put_extra(w, ",\"module\":", f->module);
    put_extra(w, ",\"file\":", f->file);
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

/* Writes the parts of a node, of which `p` begins with the first one. */
static void put_parts(brz_writer *w, parts *p, uint32_t node, uint32_t decimals)
{
    part next;
    for (bool first = true; parts_next(p, node, &next); first = false) {
        brz_put_text(w, first ? ",\"samples\":[[" : ",[");
        brz_put_u64(w, next.labels);
        brz_put_char(w, ',');
        brz_put_scaled(w, next.value, decimals);
        brz_put_text(w, parts_has(p, node) ? "]" : "]]");
    }
}

/* Writes a node without its children. */
static void put_node(brz_writer *w, const options *o, const brz_tree *tree, uint32_t i, parts *p)
{
    uint32_t decimals = brz_weight_at(tree, tree->weight)->decimals;
    const brz_node *n = brz_node_at(tree, i);
    const brz_frame_info *f = brz_frame_at(tree, n->frame);
    BRZ_PUT(w, "{\"name\":");
    brz_put_json(w, i == 0 ? o->root : brz_display_name(f->name));
    BRZ_PUT(w, ",\"value\":");
    brz_put_scaled(w, n->total, decimals);
    if (o->extras && i > 0)
        put_extras(w, f);
    if (i == 0 && p->n > 0)
        put_sets(w, &p->labels);
    put_parts(w, p, i, decimals);
}

static brz_rc write_json(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    const options *o = ctx->cfg;
    brz_writer w;
    parts p = {.n = 0};
    uint32_t depth = 0; /* depth of the node written last */
    if (o->extras)
        parts_init(&p, ctx, tree);
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

static const brz_output output = {
    .struct_size = sizeof output,
    .flags = BRZ_OUTPUT_NODES | BRZ_OUTPUT_STACKS | BRZ_OUTPUT_TAGS,
    .media_type = "application/json",
    .endings = endings,
    .write = write_json,
};

SHIPPED_PLUGIN("json", BRZ_OUTPUT, &output,
               .summary = "the call tree as nested objects, for d3-flame-graph and scripts",
               BRZ_OPTIONS(option_table, options))
