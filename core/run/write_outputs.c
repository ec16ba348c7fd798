/* SPDX-License-Identifier: MIT */
/* Writes the outputs of a run: colours, files and the palette map. */
#include "run/execution.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "config/palette_chain_build.h"
#include "profile/weight.h"
#include "report/threshold_report.h"

/* A profile with what its outputs show, and where they go. */
typedef struct picture {
    brz_profile *profile;
    const brz_tree *tree;          /* its call tree; NULL: made from its stacks */
    const brz_output_use *outputs; /* of the plan, possibly with other destinations */
    brz_subject subject;
} picture;

/* ---- files --------------------------------------------------------------------------------- */

brz_file_sink *brz_execution_open_sink(const brz_execution *x, const brz_output_use *o)
{
    brz_console *console = brz_execution_console(x);
    if (o->makes_folder)
        brz_file_sink_make_folder(o->to);
    brz_file_sink *f = o->write != NULL ? brz_file_sink_to(o->write, o->context, o->to, console)
                                        : brz_file_sink_open_inside(&o->inside, o->to, console);
    if (f != NULL)
        brz_file_sink_pack(f, brz_resolve_packing(o->use.loaded, o->to));
    return f;
}

/* Returns true, after reporting it, if a file lies beside that of an output which other programs
 * would apply to the new file, too. */
static bool has_companion(const brz_execution *x, const brz_output_use *o)
{
    struct stat st;
    brz_buf name = {0};
    bool found = false;
    if (o->updater == NULL || o->updater->companions == NULL || o->write != NULL ||
        !brz_file_sink_appears_whole(&o->inside, o->to))
        return false;
    for (const char *const *c = o->updater->companions; *c != NULL && !found; c++) {
        name.len = 0;
        brz_buf_printf(&name, "%s%s", o->to, *c);
        found = stat(brz_buf_text(&name), &st) == 0 && st.st_size > 0;
    }
    if (found)
        brz_say_code(
            brz_execution_console(x), BRZ_FATAL, BRZ_SAYS_WRITE,
            "%s: cannot be replaced: a program is changing it, or was interrupted; open it "
            "with that program first, or remove it and %s",
            o->to, brz_buf_text(&name));
    brz_buf_finish(&name);
    return found;
}

/* Opens a sink for each output that writes a new file, and one for the palette map, if any. */
static bool open_sinks(const brz_execution *x, const brz_output_use *outputs, brz_file_sink **sinks)
{
    const brz_pipeline *p = x->plan;
    for (size_t i = 0; i < p->n_outputs; i++) {
        if (outputs[i].updates && outputs[i].makes_folder)
            brz_file_sink_make_folder(outputs[i].to);
        if (outputs[i].updates)
            continue;
        sinks[i] = has_companion(x, &outputs[i]) ? NULL : brz_execution_open_sink(x, &outputs[i]);
        if (sinks[i] == NULL)
            return false;
    }
    if (p->palette_map == NULL)
        return true;
    sinks[p->n_outputs] =
        brz_file_sink_open_inside(&p->palette_map_inside, p->palette_map, brz_execution_console(x));
    return sinks[p->n_outputs] != NULL;
}

static bool write_palette_map(const brz_palette_map *map, brz_file_sink *f)
{
    brz_buf b = {0};
    brz_palette_map_print(map, &b);
    brz_sink *sink = brz_file_sink_sink(f);
    bool good = sink->write(sink, b.data, b.len) == BRZ_OK;
    brz_buf_finish(&b);
    return good;
}

/* The outputs of a run that write new files, or those that change files in place. */
typedef enum which { NEW_FILES, UPDATES } which;

/* Writes these outputs. */
static bool render(const brz_execution *x, const picture *v, brz_file_sink *const *sinks,
                   which chosen)
{
    size_t n = 0;
    brz_output_use *outputs = brz_calloc(x->plan->n_outputs, sizeof *outputs);
    brz_file_sink **to = brz_calloc(x->plan->n_outputs, sizeof(brz_file_sink *));
    for (size_t i = 0; i < x->plan->n_outputs; i++) {
        if (v->outputs[i].updates != (chosen == UPDATES))
            continue;
        outputs[n] = v->outputs[i];
        to[n++] = sinks[i];
    }
    bool good = n == 0            ? true
                : v->tree != NULL ? brz_render_tree(v->tree, &v->subject, outputs, n, to, x->run)
                                  : brz_render(v->profile, &v->subject, outputs, n, to, x->run);
    free(outputs);
    free(to);
    return good;
}

/* Completes all new files. */
static bool complete(const brz_execution *x, brz_file_sink *const *sinks, size_t n)
{
    bool good = true;
    for (size_t i = 0; i < n && good; i++)
        good = sinks[i] == NULL || brz_file_sink_complete(sinks[i]);
    return good && !brz_execution_is_stopped(x);
}

/* Gives all new files their names. */
static bool commit(brz_file_sink *const *sinks, size_t n)
{
    bool good = true;
    for (size_t i = 0; i < n && good; i++)
        good = sinks[i] == NULL || brz_file_sink_commit(sinks[i]);
    return good;
}

/* Writes every output and the palette map, and renames the files after all have been written.
 * Before that, files are changed in place, which can still fail. */
static bool write_files(const brz_execution *x, const picture *v)
{
    size_t n_outputs = x->plan->n_outputs, n = n_outputs + (x->plan->palette_map != NULL);
    brz_file_sink **sinks = brz_calloc(n, sizeof(brz_file_sink *));
    bool good = open_sinks(x, v->outputs, sinks) && render(x, v, sinks, NEW_FILES);
    if (good && n > n_outputs)
        good = write_palette_map(v->subject.palette_map, sinks[n_outputs]);
    good = good && complete(x, sinks, n) && render(x, v, sinks, UPDATES) && commit(sinks, n);
    for (size_t i = 0; i < n; i++)
        brz_file_sink_destroy(sinks[i]);
    free(sinks);
    return good;
}

/* ---- colours ------------------------------------------------------------------------------- */

/* Makes the default palettes of comparisons, in which a special one is in front of the others. */
static bool make_comparing(brz_execution *x)
{
    const brz_pipeline *p = x->plan;
    bool good = true;
    brz_resolver r = brz_execution_resolver(x);
    if (x->comparing != NULL)
        return true;
    x->comparing = brz_calloc(p->n_outputs, sizeof *x->comparing);
    for (size_t i = 0; i < p->n_outputs && good; i++)
        good = !p->outputs[i].palettes_are_default || brz_chain_add_comparing(&r, &x->comparing[i]);
    return good;
}

/* Writes the outputs with the default palettes of comparisons. */
static bool write_comparing(brz_execution *x, const picture *v)
{
    if (!make_comparing(x))
        return false;
    size_t n = x->plan->n_outputs;
    brz_output_use *outputs = brz_calloc(n, sizeof *outputs);
    memcpy(outputs, v->outputs, n * sizeof *outputs);
    for (size_t i = 0; i < n; i++)
        if (outputs[i].palettes_are_default)
            outputs[i].palettes = x->comparing[i];
    picture compared = *v;
    compared.outputs = outputs;
    bool good = write_files(x, &compared);
    free(outputs);
    return good;
}

/* Writes the outputs with their palettes, those of comparisons also for gains with losses. */
static bool write_colored(brz_execution *x, const picture *v)
{
    bool compares = v->subject.before != BRZ_NO_COLUMN || v->subject.is_signed;
    return compares ? write_comparing(x, v) : write_files(x, v);
}

/* Writes the outputs with the colours of the palette map, if any, and the palette map with the
 * colours that they add. */
static bool draw(brz_execution *x, picture *v)
{
    const brz_pipeline *p = x->plan;
    if (p->palette_map == NULL)
        return write_colored(x, v);
    v->subject.palette_map = brz_palette_map_create();
    bool good = brz_palette_map_read(v->subject.palette_map, p->palette_map, &p->palette_map_inside,
                                     brz_execution_console(x)) &&
                write_colored(x, v);
    brz_palette_map_destroy(v->subject.palette_map);
    return good;
}

/* ---- nothing to show ----------------------------------------------------------------------- */

/* Returns whether an empty input gives an empty output. */
static bool may_be_empty(const brz_execution *x)
{
    return x->plan->request->allow_empty && !x->collected.is_foreign;
}

/* Returns true if an output is a picture or a page, which reports itself that it has nothing to
 * show. */
static bool has_picture(const brz_pipeline *p)
{
    return brz_pipeline_output_flags(p) & BRZ_OUTPUT_COLOR;
}

/* Returns whether all samples have a weight of 0. */
static bool is_zero(const picture *v)
{
    return !brz_weight_has_values(v->profile, v->subject.weight) &&
           !brz_weight_has_values(v->profile, v->subject.before) &&
           !brz_weight_has_values(v->profile, v->subject.after);
}

/* Checks that there is something to write: samples whose weights are not all 0. A weight that the
 * user named may be. */
static bool check_weights(const brz_execution *x, const picture *v)
{
    if (x->plan->request->weight != NULL || has_picture(x->plan) || !is_zero(v))
        return true;
    brz_say_code(brz_execution_console(x), may_be_empty(x) ? BRZ_WARNING : BRZ_FATAL,
                 BRZ_SAYS_EMPTY, "%s: all samples have a weight of 0",
                 brz_pipeline_input_name(x->plan));
    return may_be_empty(x);
}

/* Reports that there are no samples and, if the input is in another format, its format. */
static void say_empty(const brz_execution *x)
{
    const brz_loaded *l = x->collected.looks_like;
    brz_say_code(brz_execution_console(x), may_be_empty(x) ? BRZ_WARNING : BRZ_FATAL,
                 BRZ_SAYS_EMPTY, "%s: no samples in it%s%s", brz_pipeline_input_name(x->plan),
                 l == NULL ? "" : "; it looks like ", l == NULL ? "" : l->component->id);
}

bool brz_execution_write_empty(const brz_execution *x)
{
    const brz_pipeline *p = x->plan;
    say_empty(x);
    bool good = may_be_empty(x);
    bool is_split = p->request->split_by != NULL; /* there is no value to write a file for */
    for (size_t i = 0; i < p->n_outputs && good && !is_split; i++) {
        if (p->outputs[i].updates)
            continue;
        brz_file_sink *f = brz_execution_open_sink(x, &p->outputs[i]);
        good = f != NULL && brz_file_sink_complete(f) && brz_file_sink_commit(f);
        brz_file_sink_destroy(f);
    }
    return good;
}

/* ---- writing ------------------------------------------------------------------------------- */

/* Reports on the thresholds of a comparison. Returns false after reporting an error. */
static bool check_thresholds(brz_execution *x, const picture *v)
{
    const brz_pipeline *p = x->plan;
    const brz_threshold_report r = {.console = brz_execution_console(x),
                                    .profile = v->profile,
                                    .before = v->subject.before,
                                    .after = v->subject.after,
                                    .as_json = p->request->fail_report == BRZ_FAIL_REPORT_JSON,
                                    .fails_unmatched = p->request->fail_unmatched};
    return p->thresholds.n == 0 || brz_thresholds_check(&p->thresholds, &r, &x->is_exceeded);
}

bool brz_execution_write(brz_execution *x, brz_profile *profile, const brz_tree *tree)
{
    picture v = {.profile = profile, .tree = tree, .outputs = x->plan->outputs};
    return brz_execution_choose_columns(x, profile, &v.subject) && check_weights(x, &v) &&
           check_thresholds(x, &v) && draw(x, &v);
}

bool brz_execution_write_part(brz_execution *x, brz_profile *part, const brz_output_use *outputs,
                              bool *is_written)
{
    picture v = {.profile = part, .outputs = outputs};
    *is_written = false;
    if (brz_execution_is_stopped(x) || !brz_execution_choose_columns(x, part, &v.subject))
        return false;
    if ((!may_be_empty(x) || has_picture(x->plan)) && is_zero(&v)) {
        brz_say_code(brz_execution_console(x), BRZ_WARNING, BRZ_SAYS_EMPTY,
                     "%s: not written: all of its samples have a weight of 0", outputs[0].to);
        return true;
    }
    *is_written = true;
    return draw(x, &v);
}
