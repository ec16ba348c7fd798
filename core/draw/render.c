/* SPDX-License-Identifier: MIT */
/* Renders a profile with the outputs of a run. */
#include "draw/render.h"

#include "draw/coloring.h"
#include "host/instance_create.h"
#include "plugin/component_copy.h"
#include "plugin/process_state.h"
#include "base/mem.h"
#include "profile/call_tree.h"
#include "profile/compare.h"

#include <stdlib.h>

brz_call_tree_options brz_render_tree_options(const brz_output *o)
{
    brz_call_tree_options v = {.before = BRZ_NO_COLUMN, .after = BRZ_NO_COLUMN};
    v.nodes = (o->flags & BRZ_OUTPUT_NODES) != 0;
    v.samples = o->flags & BRZ_OUTPUT_TIME   ? BRZ_SAMPLES_SINGLE
                : o->flags & BRZ_OUTPUT_TAGS ? BRZ_SAMPLES_SUMMED
                                             : BRZ_SAMPLES_NONE;
    v.exact = (o->flags & BRZ_OUTPUT_FRAMES) != 0;
    v.counts = v.nodes && (o->flags & BRZ_OUTPUT_COUNTS) != 0;
    v.nodes_only = v.nodes && !(o->flags & BRZ_OUTPUT_STACKS) && v.samples == BRZ_SAMPLES_NONE;
    v.order = o->flags & BRZ_OUTPUT_LINE_ORDER ? BRZ_ORDER_LINES
              : v.nodes                        ? BRZ_ORDER_MERGED
                                               : BRZ_ORDER_FOLDED;
    return v;
}

/* Returns the options of the call tree that an output needs. A change of sign, and sizes in place
 * of signed weights, affect only pictures, not data that is to be read again. */
static brz_call_tree_options tree_options(const brz_output_use *o, const brz_subject *subject)
{
    const brz_output *output = o->use.loaded->vtable;
    bool is_picture = (output->flags & BRZ_OUTPUT_COLOR) != 0;
    bool turned = subject->drawing.negate && is_picture;
    brz_call_tree_options v = brz_render_tree_options(output);
    v.weight = subject->weight;
    v.frame_weight = subject->color_weight;
    v.before = turned ? subject->after : subject->before;
    v.after = turned ? subject->before : subject->after;
    v.is_signed = subject->is_signed && is_picture;
    v.self_deltas = subject->drawing.deltas == BRZ_DELTAS_SELF && subject->before != BRZ_NO_COLUMN;
    v.time = subject->drawing.time;
    return v;
}

/* Returns whether an output of a run can use the call tree that was made for another one. */
static bool can_share(const brz_call_tree_options *a, const brz_call_tree_options *b)
{
    return a->nodes == b->nodes && (b->nodes_only || !a->nodes_only) && (a->counts || !b->counts) &&
           a->order == b->order && a->before == b->before && a->samples == b->samples &&
           a->exact == b->exact && a->is_signed == b->is_signed;
}

/* The call trees of an output: that which it shows, and that of the weight by which palettes choose
 * the colours of frames; NULL: the same. */
typedef struct trees {
    const brz_tree *shown, *usual;
    const brz_codes *codes; /* of the profile; NULL: none */
} trees;

static brz_coloring *make_coloring(const brz_output_use *o, const brz_subject *subject,
                                   brz_run *run, const trees *t)
{
    brz_coloring_options coloring = {&o->palettes, subject->palette_map, o->diffusion, t->usual};
    return brz_coloring_create(&coloring, run, t->shown);
}

static bool all_are_shipped(const brz_output_use *o)
{
    bool shipped = o->use.loaded->is_shipped;
    for (size_t i = 0; i < o->palettes.n; i++)
        shipped &= o->palettes.items[i].use.loaded->is_shipped;
    return shipped;
}

/* Restores the state of the process and reports a change. The output or one of its palettes made
 * it: palettes are called too often to check after each call. */
static void check_process_state(const brz_output_use *o, brz_console *console)
{
    const char *what = all_are_shipped(o) ? NULL : brz_process_state_restore();
    brz_buf b = {0};
    if (what == NULL)
        return;
    brz_buf_printf(&b, "output '%s' (%s)", o->use.loaded->component->id, o->use.loaded->path);
    for (size_t i = 0; i < o->palettes.n; i++)
        brz_buf_printf(&b, ", palette '%s' (%s)", o->palettes.items[i].use.loaded->component->id,
                       o->palettes.items[i].use.loaded->path);
    brz_say_code(console, BRZ_WARNING, "host.contract", "%s %s changed %s; restored",
                 o->palettes.n > 0 ? "one of" : "the", brz_buf_text(&b), what);
    brz_buf_finish(&b);
}

/* Returns the name of the destination in messages. */
static const char *name_of(const brz_output_use *o, const brz_file_sink *sink)
{
    return o->updates ? o->to : brz_file_sink_name(sink);
}

/* Calls the output. An error reported by the output or by one of its palettes fails it. */
static bool call_output(const brz_output_use *o, brz_instance *i, const brz_tree *tree,
                        brz_file_sink *sink)
{
    const brz_output *vtable = o->use.loaded->vtable;
    size_t errors = i->run->console->errors;
    brz_instance_enter(i, o->updates ? "update" : "write", name_of(o, sink), 0, 0);
    brz_rc rc = o->updates ? o->updater->update(&i->output_ctx, tree, o->to)
                           : vtable->write(&i->output_ctx, tree, brz_file_sink_sink(sink));
    brz_instance_leave(i);
    if (atomic_load(&i->run->stop))
        return false;
    if (rc != BRZ_OK && i->run->console->errors == errors)
        brz_say_code(i->run->console, BRZ_FATAL, BRZ_SAYS_PLUGIN, "%s: output '%s' failed",
                     name_of(o, sink), o->use.loaded->component->id);
    return i->run->console->errors == errors;
}

static void close_output(const brz_output *vtable, brz_instance *i)
{
    if (vtable->close == NULL)
        return;
    brz_instance_enter(i, "close", NULL, 0, 0);
    vtable->close(&i->output_ctx);
    brz_instance_leave(i);
}

static bool write_output(const brz_output_use *o, const brz_subject *subject, const trees *t,
                         brz_file_sink *sink, brz_run *run)
{
    const brz_output *vtable = o->use.loaded->vtable;
    size_t errors = run->console->errors;
    const void *cfg = o->cfg != NULL ? o->cfg : o->use.options->cfg;
    brz_instance *i = brz_instance_create(o->use.loaded, run, cfg, NULL, vtable->inst_size, 0);
    i->source = subject->source;
    i->codes = t->codes;
    bool wants_color = vtable->flags & BRZ_OUTPUT_COLOR;
    brz_coloring *coloring = wants_color ? make_coloring(o, subject, run, t) : NULL;
    if (coloring != NULL)
        brz_coloring_serve(coloring, i);
    bool good = (!wants_color || coloring != NULL) && call_output(o, i, t->shown, sink);
    close_output(vtable, i);
    brz_instance_destroy(i);
    brz_coloring_destroy(coloring);
    check_process_state(o, run->console);
    return good && run->console->errors == errors;
}

/* Builds the tree by which palettes choose the colours of frames, unless it is the shown one. Trees
 * of all weights number frames alike. Returns NULL without one. */
static const brz_tree *usual_tree(brz_call_tree *usual, brz_profile *profile,
                                  const brz_call_tree_options *shown, const brz_subject *subject)
{
    if (subject->color_weight == subject->weight || !shown->nodes)
        return NULL;
    brz_call_tree_options options = *shown;
    options.weight = subject->color_weight;
    options.is_signed = brz_has_losses(profile, options.weight);
    options.time = BRZ_TIME_MERGED;
    options.samples = BRZ_SAMPLES_NONE;
    options.counts = false;
    options.nodes_only = true;
    brz_call_tree_init(usual, profile, &options);
    return &usual->tree;
}

static bool has_colors(const brz_output_use *o)
{
    return (((const brz_output *)o->use.loaded->vtable)->flags & BRZ_OUTPUT_COLOR) != 0;
}

bool brz_render(brz_profile *profile, const brz_subject *subject, const brz_output_use *outputs,
                size_t n, brz_file_sink *const *sinks, brz_run *run)
{
    bool *done = brz_calloc(n, sizeof *done), good = true, saturated = profile->saturated;
    for (size_t i = 0; i < n && good; i++) {
        if (done[i])
            continue;
        brz_call_tree call_tree, usual = {0};
        brz_call_tree_options options = tree_options(&outputs[i], subject);
        saturated |= brz_call_tree_init(&call_tree, profile, &options);
        trees t = {&call_tree.tree, NULL, &profile->codes};
        for (size_t k = i; k < n && good; k++) {
            brz_call_tree_options other = tree_options(&outputs[k], subject);
            if (done[k] || !can_share(&options, &other))
                continue;
            if (has_colors(&outputs[k]) && t.usual == NULL)
                t.usual = usual_tree(&usual, profile, &options, subject);
            good = write_output(&outputs[k], subject, &t, sinks[k], run);
            done[k] = true;
        }
        brz_call_tree_finish(&call_tree);
        brz_call_tree_finish(&usual);
    }
    if (saturated && good)
        brz_say(run->console, BRZ_WARNING, "sums do not fit into 64 bits: they stay at the limit");
    free(done);
    return good;
}

bool brz_render_tree(const brz_tree *tree, const brz_subject *subject,
                     const brz_output_use *outputs, size_t n, brz_file_sink *const *sinks,
                     brz_run *run)
{
    const trees t = {tree, NULL, NULL};
    for (size_t i = 0; i < n; i++)
        if (!write_output(&outputs[i], subject, &t, sinks[i], run))
            return false;
    return true;
}
