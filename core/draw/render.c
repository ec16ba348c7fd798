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
    brz_call_tree_options v = {.before = BRZ_NO_WEIGHT, .after = BRZ_NO_WEIGHT};
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

/* Returns the options of the call tree that an output needs. A change of sign affects only
 * pictures, not data that is to be read again. */
static brz_call_tree_options tree_options(const brz_output_use *o, const brz_subject *subject)
{
    const brz_output *output = o->use.loaded->vtable;
    bool turned = subject->drawing.negate && (output->flags & BRZ_OUTPUT_COLOR);
    brz_call_tree_options v = brz_render_tree_options(output);
    v.weight = subject->weight;
    v.before = turned ? subject->after : subject->before;
    v.after = turned ? subject->before : subject->after;
    v.self_deltas = subject->drawing.deltas == BRZ_DELTAS_SELF;
    v.is_signed = subject->is_signed;
    v.has_sizes = subject->has_sizes;
    v.time = subject->drawing.time;
    return v;
}

/* Returns whether an output of a run can use the call tree that was made for another one. */
static bool can_share(const brz_call_tree_options *a, const brz_call_tree_options *b)
{
    return a->nodes == b->nodes && (b->nodes_only || !a->nodes_only) && (a->counts || !b->counts) &&
           a->order == b->order && a->before == b->before && a->samples == b->samples &&
           a->exact == b->exact;
}

static brz_coloring *make_coloring(const brz_output_use *o, const brz_subject *subject,
                                   brz_run *run, const brz_tree *tree)
{
    brz_coloring_options coloring = {&o->palettes, subject->palette_map, o->diffusion};
    return brz_coloring_create(&coloring, run, tree);
}

/* Restores the state of the process and reports a change. The output or one of its palettes made
 * it: palettes are called too often to check after each call. */
static void check_process_state(const brz_output_use *o, brz_console *console)
{
    const char *what = brz_process_state_restore();
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

/* Calls the output. An error reported by the output or by one of its palettes fails it. */
static bool call_output(const brz_output_use *o, brz_instance *i, const brz_tree *tree,
                        brz_file_sink *sink)
{
    const brz_output *vtable = o->use.loaded->vtable;
    size_t errors = i->run->console->errors;
    brz_instance_enter(i, "write", brz_file_sink_name(sink), 0, 0);
    brz_rc rc = vtable->write(&i->output_ctx, tree, brz_file_sink_sink(sink));
    brz_instance_leave(i);
    if (atomic_load(&i->run->stop))
        return false;
    if (rc != BRZ_OK && i->run->console->errors == errors)
        brz_say_code(i->run->console, BRZ_FATAL, BRZ_SAYS_PLUGIN, "%s: output '%s' failed",
                     brz_file_sink_name(sink), o->use.loaded->component->id);
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

static bool write_output(const brz_output_use *o, const brz_subject *subject, const brz_tree *tree,
                         brz_file_sink *sink, brz_run *run)
{
    const brz_output *vtable = o->use.loaded->vtable;
    size_t errors = run->console->errors;
    brz_instance *i =
        brz_instance_create(o->use.loaded, run, o->use.options->cfg, NULL, vtable->inst_size, 0);
    bool wants_color = vtable->flags & BRZ_OUTPUT_COLOR;
    brz_coloring *coloring = wants_color ? make_coloring(o, subject, run, tree) : NULL;
    if (coloring != NULL)
        brz_coloring_serve(coloring, i);
    bool good = (!wants_color || coloring != NULL) && call_output(o, i, tree, sink);
    close_output(vtable, i);
    brz_instance_destroy(i);
    brz_coloring_destroy(coloring);
    check_process_state(o, run->console);
    return good && run->console->errors == errors;
}

/* A run of the outputs of a profile. */
typedef struct rendering {
    brz_profile *profile;
    const brz_output_use *outputs;
    size_t n;
    brz_file_sink *const *sinks;
    brz_run *run;
    bool *done; /* by output */
    bool saturated;
} rendering;

static bool is_picture(const brz_output_use *o)
{
    return (((const brz_output *)o->use.loaded->vtable)->flags & BRZ_OUTPUT_COLOR) != 0;
}

/* Writes output `i` and the others that can use its call tree. */
static bool render_from(rendering *r, size_t i, const brz_subject *subject, bool data_only)
{
    brz_call_tree call_tree;
    bool good = true;
    brz_call_tree_options options = tree_options(&r->outputs[i], subject);
    r->saturated |= brz_call_tree_init(&call_tree, r->profile, &options);
    for (size_t k = i; k < r->n && good; k++) {
        brz_call_tree_options other = tree_options(&r->outputs[k], subject);
        if (r->done[k] || !can_share(&options, &other) || (data_only && is_picture(&r->outputs[k])))
            continue;
        good = write_output(&r->outputs[k], subject, &call_tree.tree, r->sinks[k], r->run);
        r->done[k] = true;
    }
    brz_call_tree_finish(&call_tree);
    return good;
}

/* Writes the outputs that are not written yet; no pictures if `data_only`. */
static bool render_rest(rendering *r, const brz_subject *subject, bool data_only)
{
    bool good = true;
    for (size_t i = 0; i < r->n && good; i++)
        if (!r->done[i] && !(data_only && is_picture(&r->outputs[i])))
            good = render_from(r, i, subject, data_only);
    return good;
}

static bool is_complete(const rendering *r)
{
    size_t i = 0;
    while (i < r->n && r->done[i])
        i++;
    return i == r->n;
}

/* Makes room for two columns. In a profile with the maximum of columns, removes all but the one
 * that is shown, whose index changes. */
static void make_room(const rendering *r, brz_profile *profile, uint32_t *column)
{
    if (profile->n_weights + 2 <= BRZ_PROFILE_MAX_WEIGHTS)
        return;
    brz_str name = brz_strings_at(&profile->strings, profile->weights[*column].name);
    brz_say(r->run->console, BRZ_WARNING,
            "pictures show '%.*s' only, and not %zu others: beside the losses in it, there is room "
            "for %d weights",
            (int)name.len, name.data, profile->n_weights - 1, BRZ_PROFILE_MAX_WEIGHTS - 2);
    brz_profile_keep_column(profile, *column, name);
    *column = 0;
}

/* Returns the subject of pictures of a profile with negative values: widths are sizes. Unless it is
 * a comparison, gains and losses are compared. Changes the profile. */
static brz_subject without_signs(const rendering *r, brz_profile *profile,
                                 const brz_subject *subject)
{
    brz_subject s = *subject;
    s.has_sizes = true;
    s.is_signed = s.before == BRZ_NO_WEIGHT;
    if (!s.is_signed) {
        s.weight = brz_add_sizes(profile, s.weight);
        return s;
    }
    s.drawing.deltas = BRZ_DELTAS_TOTAL;
    s.drawing.negate = false;
    make_room(r, profile, &s.weight);
    brz_split_signs(profile, s.weight, s.drawing.time != BRZ_TIME_MERGED, &s.before, &s.after);
    return s;
}

bool brz_render(brz_profile *profile, const brz_subject *subject, const brz_output_use *outputs,
                size_t n, brz_file_sink *const *sinks, brz_run *run)
{
    rendering r = {.profile = profile,
                   .outputs = outputs,
                   .n = n,
                   .sinks = sinks,
                   .run = run,
                   .done = brz_calloc(n, sizeof *r.done),
                   .saturated = profile->saturated};
    brz_subject plain = *subject, of_pictures = *subject;
    plain.is_signed = false;
    bool good = !subject->is_signed || render_rest(&r, &plain, true);
    if (good && subject->is_signed && !is_complete(&r))
        of_pictures = without_signs(&r, profile, subject);
    good = good && render_rest(&r, &of_pictures, false);
    if (r.saturated && good)
        brz_say(run->console, BRZ_WARNING, "sums do not fit into 64 bits: they stay at the limit");
    free(r.done);
    return good;
}

bool brz_render_tree(const brz_tree *tree, const brz_subject *subject,
                     const brz_output_use *outputs, size_t n, brz_file_sink *const *sinks,
                     brz_run *run)
{
    for (size_t i = 0; i < n; i++)
        if (!write_output(&outputs[i], subject, tree, sinks[i], run))
            return false;
    return true;
}
