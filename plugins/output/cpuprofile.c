/* SPDX-License-Identifier: MIT */
/* Writes the output "cpuprofile": the format of V8's CPU profiler, which the developer tools of
 * browsers and several editors open.
 *
 *     file := {"nodes": [node, …], "startTime": µs, "endTime": µs,
 *              "samples": [id, …], "timeDeltas": [µs, …]}
 *
 * A sample lasts until the next one, so timeDeltas[i + 1] is the weight of sample i; a final sample
 * of the root ends the last one. The format has a single weight: the selected one.
 *
 * Samples of a single thread whose values are times, and of which each one begins when the one
 * before it ends, are written in their order, with their times. All others are sums of nodes.
 */
#include <brazier/plugin.h>
#include <brazier/write.h>

#include "common/axis.h"
#include "../common/shipped.h"
#include "common/frame_kind.h"
#include "common/intervals.h"
#include "common/paths.h"

#define MICROSECONDS 6

typedef struct options {
    int32_t count_as;
} options;

/* State of one profile being written. */
typedef struct profile {
    brz_writer w;
    const brz_tree *tree;
    axis axis;
    paths paths;           /* path i is node i + 1; path 0 is the root */
    uint32_t *first_child; /* by path; 0: none */
    uint32_t *sibling;     /* the next child of the same path; 0: none */
    bool timed;            /* samples are in the order of time, in `intervals` */
    intervals intervals;
} profile;

static uint64_t id_of(uint32_t path)
{
    return (uint64_t)path + 1;
}

static void put_call_frame(brz_writer *w, brz_str name, const brz_frame_info *f)
{
    BRZ_PUT(w, "\"callFrame\":{\"functionName\":");
    brz_put_json(w, name);
    BRZ_PUT(w, ",\"scriptId\":\"0\",\"url\":");
    brz_put_json(w, f->file.len > 0 ? f->file : f->module);
    BRZ_PUT(w, ",\"lineNumber\":");
    brz_put_i64(w, (int64_t)f->line - 1);
    BRZ_PUT(w, ",\"columnNumber\":");
    brz_put_i64(w, (int64_t)f->column - 1);
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

static void put_children(profile *p, uint32_t path)
{
    for (uint32_t i = p->first_child[path]; i != 0; i = p->sibling[i]) {
        brz_put_text(&p->w, i == p->first_child[path] ? ",\"children\":[" : ",");
        brz_put_u64(&p->w, id_of(i));
    }
    if (p->first_child[path] != 0)
        brz_put_char(&p->w, ']');
}

static void put_node(profile *p, uint32_t i)
{
    static const brz_frame_info none = {.name = {"", 0}};
    const brz_frame_info *f = i > 0 ? brz_frame_at(p->tree, path_frame(&p->paths, i - 1)) : &none;
    brz_put_text(&p->w, i > 0 ? ",\n{\"id\":" : "\n{\"id\":");
    brz_put_u64(&p->w, id_of(i));
    brz_put_char(&p->w, ',');
    put_call_frame(&p->w, i > 0 ? brz_display_name(f) : BRZ_STR("(root)"), f);
    BRZ_PUT(&p->w, ",\"hitCount\":");
    brz_put_u64(&p->w, axis_length(path_self(&p->paths, i, p->tree->main_column)));
    put_children(p, i);
    brz_put_char(&p->w, '}');
}

/* Finds the children of each path. */
static void link_children(profile *p, brz_output_ctx *ctx)
{
    size_t n = (size_t)p->paths.items.n + 1;
    p->first_child = ctx->host->alloc(ctx, n * sizeof *p->first_child, 0);
    p->sibling = ctx->host->alloc(ctx, n * sizeof *p->sibling, 0);
    for (uint32_t i = p->paths.items.n; i > 0; i--) {
        uint32_t caller = path_caller(&p->paths, i - 1);
        p->sibling[i] = p->first_child[caller];
        p->first_child[caller] = i;
    }
}

/* ---- sums ---------------------------------------------------------------------------------- */

static int64_t self_of(const profile *p, uint32_t path)
{
    return path_self(&p->paths, path, p->tree->main_column);
}

static void put_sums(profile *p)
{
    uint64_t end = 0;
    for (uint32_t i = 0; i <= p->paths.items.n; i++)
        end += axis_length(self_of(p, i));
    BRZ_PUT(&p->w, "],\n\"startTime\":0,\"endTime\":");
    put_on_axis(&p->w, p->axis, end);
    BRZ_PUT(&p->w, ",\n\"samples\":[");
    for (uint32_t i = 0; i <= p->paths.items.n && p->w.rc == BRZ_OK; i++)
        if (self_of(p, i) > 0) {
            brz_put_u64(&p->w, id_of(i));
            brz_put_char(&p->w, ',');
        }
    brz_put_u64(&p->w, id_of(0));
    BRZ_PUT(&p->w, "],\n\"timeDeltas\":[0");
    for (uint32_t i = 0; i <= p->paths.items.n && p->w.rc == BRZ_OK; i++)
        if (self_of(p, i) > 0) {
            brz_put_char(&p->w, ',');
            put_on_axis(&p->w, p->axis, axis_length(self_of(p, i)));
        }
    brz_put_char(&p->w, ']');
}

/* ---- samples ------------------------------------------------------------------------------- */

/* Writes the samples; one without a value in the run's weight lasts no time. */
static void put_samples(profile *p)
{
    const brz_tree *t = p->tree;
    BRZ_PUT(&p->w, "],\n\"startTime\":");
    brz_put_scaled(&p->w, p->intervals.start, 3);
    BRZ_PUT(&p->w, ",\"endTime\":");
    brz_put_scaled(&p->w, p->intervals.end, 3);
    BRZ_PUT(&p->w, ",\n\"samples\":[");
    for (uint64_t i = 0; p->w.rc == BRZ_OK && i < t->n_samples; i++) {
        brz_put_u64(&p->w, id_of(p->paths.of_stack[brz_sample_at(t, i)->stack]));
        brz_put_char(&p->w, ',');
    }
    brz_put_u64(&p->w, id_of(0));
    BRZ_PUT(&p->w, "],\n\"timeDeltas\":[0");
    for (uint64_t i = 0; p->w.rc == BRZ_OK && i < t->n_samples; i++) {
        brz_put_char(&p->w, ',');
        put_on_axis(&p->w, p->axis, axis_length(brz_sample_at(t, i)->values[t->main_column]));
    }
    brz_put_char(&p->w, ']');
}

/* Returns whether the times of the run's weight can be written: see above. */
static bool has_times(profile *p, brz_output_ctx *ctx)
{
    tracks t;
    if (!axis_is_time(brz_column_at(p->tree, p->tree->main_column)->unit) ||
        !tracks_init(&t, ctx, p->tree, NULL, TRACKS_WITH_LABELS))
        return false;
    const track *shown = &t.items[t.heaviest];
    for (uint32_t i = 0; i < t.n; i++)
        if (t.items[i].thread != shown->thread || !t.items[i].timed)
            return false;
    if (!shown->shown)
        return false;
    p->intervals = intervals_of(&t, shown, 0);
    const intervals *v = &p->intervals;
    return v->nanoseconds > 0 && !v->overlap && !v->apart && !v->negative && !v->rootless;
}

/* ---- file ---------------------------------------------------------------------------------- */

static void check_labels(brz_output_ctx *ctx, const brz_tree *tree)
{
    label_sets labels;
    label_sets_init(&labels, ctx, tree);
    if (labels.n > 1)
        brz_output_report(ctx, BRZ_NOTE, "cpuprofile.labels",
                          BRZ_STR("the format cannot hold the labels of samples, which are left "
                                  "out (--group-by makes them frames)"));
}

static brz_rc write_cpuprofile(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    const options *o = ctx->cfg;
    profile p = {.tree = tree};
    p.axis = axis_of(brz_column_at(tree, tree->main_column), o->count_as, MICROSECONDS);
    axis_check(ctx, tree, tree->main_column);
    check_labels(ctx, tree);
    p.timed = has_times(&p, ctx);
    paths_init(&p.paths, ctx, tree, p.timed ? PATHS_OF_ALL : PATHS_OF_SHOWN);
    link_children(&p, ctx);
    brz_writer_init(&p.w, ctx, sink);
    BRZ_PUT(&p.w, "{\"nodes\":[");
    for (uint32_t i = 0; i <= p.paths.items.n && p.w.rc == BRZ_OK; i++)
        put_node(&p, i);
    if (p.timed)
        put_samples(&p);
    else
        put_sums(&p);
    BRZ_PUT(&p.w, "}\n");
    return brz_writer_finish(&p.w);
}

static const brz_option option_table[] = {
    BRZ_OPTION(options, "count-as", ENUM, count_as, "ms",
               "time that one unit of a weight stands for, unless the weight is a time",
               .choices = axis_words),
};

static const char *const endings[] = {"cpuprofile", NULL};

SHIPPED_WRITER(write_cpuprofile, "application/json",
               BRZ_OUTPUT_NODES | BRZ_OUTPUT_STACKS | BRZ_OUTPUT_TIME | BRZ_OUTPUT_FRAMES)

SHIPPED_PLUGIN("cpuprofile", BRZ_OUTPUT, &output,
               .summary = "a CPU profile as V8 writes it, for developer tools and editors",
               BRZ_OPTIONS(option_table, options))
