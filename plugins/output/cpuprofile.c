/* Writes the output "cpuprofile": the format of V8's CPU profiler, which the developer tools of
 * browsers and several editors open.
 *
 *     file := {"nodes": [node, …], "startTime": µs, "endTime": µs,
 *              "samples": [id, …], "timeDeltas": [µs, …]}
 *
 * A sample lasts until the next one, so timeDeltas[i + 1] is the weight of sample i; a final sample
 * of the root ends the last one. The format has a single weight: the selected one.
 */
#include <brazier/plugin.h>
#include <brazier/write.h>

#include "common/axis.h"
#include "common/frame_kind.h"

#define MICROSECONDS 6

typedef struct options {
    int32_t count_as;
} options;

/* State of one profile being written. */
typedef struct profile {
    brz_writer w;
    const brz_tree *tree;
    axis axis;
} profile;

static uint64_t id_of(uint32_t node)
{
    return (uint64_t)node + 1;
}

static void put_call_frame(brz_writer *w, brz_str name, const brz_frame_info *f)
{
    BRZ_PUT(w, "\"callFrame\":{\"functionName\":");
    brz_put_json(w, name);
    BRZ_PUT(w, ",\"scriptId\":\"0\",\"url\":");
    brz_put_json(w, f->file.len > 0 ? f->file : f->module);
    BRZ_PUT(w, ",\"lineNumber\":");
    brz_put_i64(w, (int64_t)f->line - 1);
    BRZ_PUT(w, ",\"columnNumber\":-1");
    if (f->file.len > 0 && f->module.len > 0) {
        BRZ_PUT(w, ",\"module\":");
        brz_put_json(w, f->module);
    }
    brz_str kind = frame_kind_word(brz_frame_category(f->kind, f->flags));
    if (kind.len > 0) {
        BRZ_PUT(w, ",\"kind\":");
        brz_put_json(w, kind);
    }
    brz_put_char(w, '}');
}

static void put_children(profile *p, uint32_t node)
{
    uint32_t end = node + brz_node_at(p->tree, node)->subtree;
    for (uint32_t i = node + 1; i < end; i += brz_node_at(p->tree, i)->subtree) {
        brz_put_text(&p->w, i == node + 1 ? ",\"children\":[" : ",");
        brz_put_u64(&p->w, id_of(i));
    }
    if (end > node + 1)
        brz_put_char(&p->w, ']');
}

static void put_node(profile *p, uint32_t i)
{
    const brz_node *n = brz_node_at(p->tree, i);
    const brz_frame_info *f = brz_frame_at(p->tree, n->frame);
    brz_put_text(&p->w, i > 0 ? ",\n{\"id\":" : "\n{\"id\":");
    brz_put_u64(&p->w, id_of(i));
    brz_put_char(&p->w, ',');
    put_call_frame(&p->w, i > 0 ? brz_display_name(f->name) : BRZ_STR("(root)"), f);
    BRZ_PUT(&p->w, ",\"hitCount\":");
    brz_put_u64(&p->w, axis_length(n->self));
    put_children(p, i);
    brz_put_char(&p->w, '}');
}

static void put_samples(profile *p)
{
    BRZ_PUT(&p->w, ",\n\"samples\":[");
    for (uint32_t i = 0; i < p->tree->n_nodes && p->w.rc == BRZ_OK; i++)
        if (brz_node_at(p->tree, i)->self > 0) {
            brz_put_u64(&p->w, id_of(i));
            brz_put_char(&p->w, ',');
        }
    brz_put_u64(&p->w, id_of(0));
    BRZ_PUT(&p->w, "],\n\"timeDeltas\":[0");
    for (uint32_t i = 0; i < p->tree->n_nodes && p->w.rc == BRZ_OK; i++)
        if (brz_node_at(p->tree, i)->self > 0) {
            brz_put_char(&p->w, ',');
            put_on_axis(&p->w, p->axis, axis_length(brz_node_at(p->tree, i)->self));
        }
    brz_put_char(&p->w, ']');
}

static uint64_t end_time(const brz_tree *tree)
{
    uint64_t end = 0;
    for (uint32_t i = 0; i < tree->n_nodes; i++)
        end += axis_length(brz_node_at(tree, i)->self);
    return end;
}

static brz_rc write_cpuprofile(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    const options *o = ctx->cfg;
    profile p = {.tree = tree};
    p.axis = axis_of(brz_weight_at(tree, tree->weight), o->count_as, MICROSECONDS);
    axis_check(ctx, tree, tree->weight);
    brz_writer_init(&p.w, ctx, sink);
    BRZ_PUT(&p.w, "{\"nodes\":[");
    for (uint32_t i = 0; i < tree->n_nodes && p.w.rc == BRZ_OK; i++)
        put_node(&p, i);
    BRZ_PUT(&p.w, "],\n\"startTime\":0,\"endTime\":");
    put_on_axis(&p.w, p.axis, end_time(tree));
    put_samples(&p);
    BRZ_PUT(&p.w, "}\n");
    return brz_writer_finish(&p.w);
}

static const brz_option option_table[] = {
    BRZ_OPTION(options, "count-as", ENUM, count_as, "ms",
               "time that one unit of a weight stands for, unless the weight is a time",
               .choices = axis_words),
};

static const char *const endings[] = {"cpuprofile", NULL};

static const brz_output output = {
    .struct_size = sizeof output,
    .flags = BRZ_OUTPUT_NODES | BRZ_OUTPUT_STACKS,
    .media_type = "application/json",
    .endings = endings,
    .write = write_cpuprofile,
};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_OUTPUT,
    .id = "cpuprofile",
    .summary = "a CPU profile as V8 writes it, for developer tools and editors",
    BRZ_OPTIONS(option_table, options),
    .vtable = &output,
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("cpuprofile", BRZ_SHIPPED_VERSION, "MIT", BRZ_SHIPPED_URL, components)
