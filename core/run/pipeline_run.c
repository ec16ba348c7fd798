/* Runs a pipeline: reads its inputs, transforms the profile, writes its outputs. */
#include "run/pipeline_parts.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "config/palette_chain_build.h"
#include "profile/compare.h"
#include "base/mem.h"
#include "collapse/mismatch.h"
#include "input/progress.h"
#include "draw/render.h"
#include "run/input_labels.h"
#include "request/limits.h"
#include "run/pipeline_merge.h"
#include "run/pipeline_tree.h"
#include "run/pipeline_weights.h"
#include "report/quality.h"
#include "report/threshold_report.h"
#include "report/unnamed.h"

/* ---- columns ------------------------------------------------------------------------------- */

static bool has_samples(const brz_profile *profile)
{
    return profile != NULL && profile->n_stacks > 0;
}

/* Chooses the columns that the outputs show. Compares the columns "before" and "after", unless the
 * user chose another one. */
static bool choose_columns(const brz_pipeline *p, brz_subject *subject)
{
    brz_profile *profile = p->collected.profile;
    const brz_request *r = p->request;
    *subject =
        (brz_subject){.before = BRZ_NO_WEIGHT, .after = BRZ_NO_WEIGHT, .drawing = r->drawing};
    if ((p->request->weight != NULL && !r->compare) ||
        !brz_find_comparison(profile, &subject->before, &subject->after))
        return brz_pipeline_find_weight(p, profile, &subject->weight);
    if (r->normalize != BRZ_NORMALIZE_NO)
        brz_scale_column(profile, subject->before, subject->after,
                         r->normalize == BRZ_NORMALIZE_YES ? 2 : 0,
                         r->normalize == BRZ_NORMALIZE_FLOOR);
    brz_align_comparison(profile, subject->before, subject->after);
    subject->weight = r->base_on == BRZ_BASE_ON_BOTH
                          ? brz_add_both(profile, subject->before, subject->after)
                      : r->base_on == BRZ_BASE_ON_BEFORE ? subject->before
                                                         : subject->after;
    return true;
}

/* Does the same, and notes whether the weight has negative values. */
static bool choose_subject(const brz_pipeline *p, brz_subject *subject)
{
    if (!choose_columns(p, subject))
        return false;
    subject->is_signed = brz_has_losses(p->collected.profile, subject->weight);
    return true;
}

static bool is_stopped(const brz_pipeline *p)
{
    return atomic_load(&p->run->stop);
}

/* ---- reading ------------------------------------------------------------------------------- */

/* Adds the profile of an input to those of previous ones. Stores stacks that several inputs contain
 * only once, so that memory depends on the number of distinct stacks. The first profile need not be
 * copied if its stacks are distinct. */
static bool take_share(brz_pipeline *p, brz_profile **together, const char *path)
{
    brz_profile *own = p->collected.profile;
    if (!brz_pipeline_match_weights(p, *together, path))
        return false;
    if (!has_samples(own)) { /* its weights must not become those of the result */
        brz_profile_destroy(own);
        p->collected.profile = NULL;
        return true;
    }
    bool is_first = *together == NULL && brz_profile_intern_all(own);
    if (is_first)
        *together = own;
    else if (*together == NULL)
        *together = brz_profile_create();
    if (!is_first) {
        brz_profile_absorb_distinct(*together, own);
        brz_profile_destroy(own);
    }
    p->collected.profile = NULL;
    return true;
}

/* Returns whether the profile of the first input can become that of the comparison. If counts are
 * scaled, which rounds them, each stack must occur only once. */
static bool keep_first(const brz_pipeline *p)
{
    return p->request->normalize == BRZ_NORMALIZE_NO ||
           brz_profile_intern_all(p->collected.profile);
}

/* Makes the column of an input one of the two that are compared. */
static bool take_side(brz_pipeline *p, brz_profile **together, size_t side)
{
    uint32_t weight = BRZ_NO_WEIGHT;
    if (*together == NULL)
        *together = brz_profile_create();
    if (!has_samples(p->collected.profile)) {
        brz_say_code(&p->session->console, BRZ_WARNING, BRZ_SAYS_EMPTY, "%s: no samples in it",
                     p->inputs[side].name);
        brz_profile_add_weight(*together, side == 0 ? BRZ_BEFORE : BRZ_AFTER, BRZ_STR(""), 0, side);
        return true;
    }
    bool good = brz_pipeline_match_side(p, *together, side, &weight);
    if (good && side == 0 && keep_first(p)) {
        brz_profile_destroy(*together);
        *together = p->collected.profile;
        p->collected.profile = NULL;
        brz_profile_keep_column(*together, weight, BRZ_BEFORE);
        return true;
    }
    if (good)
        brz_profile_absorb_column(*together, p->collected.profile, weight,
                                  side == 0 ? BRZ_BEFORE : BRZ_AFTER);
    brz_profile_destroy(p->collected.profile);
    p->collected.profile = NULL;
    return good;
}

/* Returns false after an error if the input has a column in two units, whose sums mean nothing. */
static bool check_units(const brz_pipeline *p, const char *path)
{
    path = strcmp(path, "-") == 0 ? "stdin" : path;
    const brz_profile *own = p->collected.profile;
    if (own == NULL || own->clash.name == 0)
        return true;
    brz_say_code(&p->session->console, BRZ_FATAL, BRZ_SAYS_WEIGHT,
                 "%s: '%s' is in both %s and %s, which cannot be added", path,
                 brz_strings_at(&own->strings, own->clash.name).data,
                 brz_strings_at(&own->strings, own->clash.units[0]).data,
                 brz_strings_at(&own->strings, own->clash.units[1]).data);
    return false;
}

/* Returns whether to continue after an input was lost. */
static bool go_on_without(brz_pipeline *p)
{
    p->lost++;
    if (p->request->compare || p->lost == p->n_inputs)
        return false;
    return !atomic_load(&p->run->stop);
}

/* Returns whether to continue after an input could not be read or added, for a reason that was
 * reported. Forgets the samples that were read until then. */
static bool go_on_after_failure(brz_pipeline *p)
{
    if (!p->request->keep_going || p->misused || is_stopped(p))
        return false;
    brz_profile_destroy(p->collected.profile);
    p->collected.profile = NULL;
    return go_on_without(p);
}

/* Reports the number of inputs that the result lacks. */
static void say_lost_inputs(const brz_pipeline *p)
{
    if (p->request->keep_going && p->lost > 0)
        brz_say_code(&p->session->console, BRZ_WARNING, BRZ_SAYS_READ,
                     "left out: %zu of %zu inputs", p->lost, p->n_inputs);
}

/* Returns the name of the first weight if there are several; otherwise an empty text. */
static brz_str first_weight(const brz_profile *profile)
{
    if (profile == NULL || profile->n_weights < 2)
        return brz_str_of("", 0);
    return brz_strings_at(&profile->strings, profile->weights[0].name);
}

/* Returns whether the two sides of a comparison are ranges of the same input. */
static bool is_same_input(const brz_pipeline *p)
{
    return p->n_inputs == 2 && p->request->n_inputs < 2;
}

/* Reports the quality of the profile, which is examined only if the user asks. */
static void report_quality(brz_pipeline *p)
{
    if (p->request->quality >= BRZ_QUALITY_TEXT)
        brz_unnamed_report(p->collected.profile, &p->collected.reports);
    brz_quality_report(&p->session->console, &p->collected.reports, p->request->quality,
                       p->request->sysroot, p->n_inputs > 1 && !is_same_input(p));
}

/* Adds the input that was read to the result. Returns false after reporting an error. */
static bool take_input(brz_pipeline *p, brz_profile **together, size_t i)
{
    const char *labels = p->request->labels;
    if (!check_units(p, p->inputs[i].name) || !brz_pipeline_select_side(p, i))
        return false;
    if (labels != NULL)
        brz_input_labels_add(brz_str_of(labels, strlen(labels)), p->inputs[i].name,
                             p->collected.profile);
    if (p->n_inputs == 1)
        return true;
    return p->request->compare ? take_side(p, together, i)
                               : take_share(p, together, p->inputs[i].name);
}

/* Warns of a folder of --sysroot that is not there, since it confines what inputs name. */
static void check_sysroot(const brz_pipeline *p)
{
    struct stat st;
    const char *root = p->request->sysroot;
    if (root != NULL && (stat(root, &st) != 0 || !S_ISDIR(st.st_mode)))
        brz_say_code(&p->session->console, BRZ_WARNING, BRZ_SAYS_OPEN,
                     "--sysroot: there is no folder '%s', so files that inputs name are not read",
                     root);
}

static bool read_inputs(brz_pipeline *p)
{
    bool good = true;
    check_sysroot(p);
    brz_profile *together = NULL;
    brz_progress progress = {p->request->progress, p->request->progress_context, &p->run->stop};
    for (size_t i = 0; i < p->n_inputs && good; i++) {
        if (i > 0 && p->sides[0].has_time && is_same_input(p))
            brz_notices_finish(&p->collected.reports); /* the second reading reports the same */
        brz_input_end end = brz_pipeline_read_input(p, &p->inputs[i], &progress);
        if (end == BRZ_INPUT_LOST)
            good = go_on_without(p);
        else
            good = (end == BRZ_INPUT_READ && !is_stopped(p) && take_input(p, &together, i)) ||
                   go_on_after_failure(p);
    }
    if (together != NULL) {
        brz_profile_destroy(p->collected.profile);
        p->collected.profile = together;
    }
    brz_notices_sort(&p->collected.reports);
    if (!is_stopped(p)) { /* the progress made by then is arbitrary */
        brz_say_notices(&p->session->console, &p->collected.reports);
        brz_say_left_out(&p->session->console, &p->collected.reports.left_out,
                         first_weight(p->collected.profile));
        say_lost_inputs(p);
        if (good)
            report_quality(p);
    }
    return good;
}

/* ---- writing ------------------------------------------------------------------------------- */

/* Chooses the palettes of comparisons, also of gains with losses: puts a special palette in front
 * of the default ones. */
static bool choose_palettes(brz_pipeline *p, const brz_subject *subject)
{
    bool good = true;
    bool compares = subject->before != BRZ_NO_WEIGHT || subject->is_signed;
    brz_resolver r = brz_pipeline_resolver(p);
    for (size_t i = 0; i < p->n_outputs && good && compares; i++) {
        brz_output_use *o = &p->outputs[i];
        if (!o->palettes_are_default)
            continue;
        brz_chain_finish(&o->palettes);
        good = brz_chain_add_named(&r, BRZ_STR(BRZ_COMPARING_PALETTE), NULL, &o->palettes) &&
               brz_chain_add_default(&r, &o->palettes);
    }
    return good;
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

static brz_file_sink *open_sink(const brz_pipeline *p, const brz_output_use *o)
{
    brz_console *console = &p->session->console;
    brz_file_sink *f = o->write != NULL ? brz_file_sink_to(o->write, o->context, o->to, console)
                                        : brz_file_sink_open_inside(&o->inside, o->to, console);
    if (f != NULL)
        brz_file_sink_pack(f, brz_resolve_packing(o->use.loaded, o->to));
    return f;
}

/* Opens a sink for each output, and one for the palette map, if any. */
static bool open_sinks(brz_pipeline *p, brz_file_sink **sinks)
{
    for (size_t i = 0; i < p->n_outputs; i++) {
        sinks[i] = open_sink(p, &p->outputs[i]);
        if (sinks[i] == NULL)
            return false;
    }
    if (p->palette_map == NULL)
        return true;
    sinks[p->n_outputs] =
        brz_file_sink_open_inside(&p->palette_map_inside, p->palette_map, &p->session->console);
    return sinks[p->n_outputs] != NULL;
}

static bool render(const brz_pipeline *p, const brz_subject *subject, brz_file_sink *const *sinks)
{
    if (p->tree != NULL)
        return brz_render_tree(&p->tree->tree, subject, p->outputs, p->n_outputs, sinks, p->run);
    return brz_render(p->collected.profile, subject, p->outputs, p->n_outputs, sinks, p->run);
}

/* Writes every output, and renames the files after all have been written. */
static bool write_outputs(brz_pipeline *p, const brz_subject *subject)
{
    size_t n = p->n_outputs + (p->palette_map != NULL);
    brz_file_sink **sinks = brz_calloc(n, sizeof(brz_file_sink *));
    bool good = open_sinks(p, sinks) && render(p, subject, sinks);
    if (good && p->palette_map != NULL)
        good = write_palette_map(subject->palette_map, sinks[p->n_outputs]);
    for (size_t i = 0; i < n && good; i++)
        good = brz_file_sink_complete(sinks[i]);
    good = good && !is_stopped(p);
    for (size_t i = 0; i < n && good; i++)
        good = brz_file_sink_commit(sinks[i]);
    for (size_t i = 0; i < n; i++)
        brz_file_sink_destroy(sinks[i]);
    free(sinks);
    return good;
}

/* Writes empty outputs; none if there is one for each value of a tag. */
static bool write_nothing(const brz_pipeline *p)
{
    bool good = true;
    if (p->request->split_by != NULL)
        return true;
    for (size_t i = 0; i < p->n_outputs && good; i++) {
        brz_file_sink *f = open_sink(p, &p->outputs[i]);
        good = f != NULL && brz_file_sink_complete(f) && brz_file_sink_commit(f);
        brz_file_sink_destroy(f);
    }
    return good;
}

/* Writes the outputs with the colours of the palette map, if any, and the palette map with the
 * colours that they add. */
static bool draw(brz_pipeline *p, brz_subject *subject)
{
    if (p->palette_map == NULL)
        return write_outputs(p, subject);
    subject->palette_map = brz_palette_map_create();
    bool good = brz_palette_map_read(subject->palette_map, p->palette_map, &p->palette_map_inside,
                                     &p->session->console) &&
                write_outputs(p, subject);
    brz_palette_map_destroy(subject->palette_map);
    return good;
}

static void say_left_out(const brz_pipeline *p, size_t left_out)
{
    if (left_out > 0 && p->session->console.verbosity > 0)
        brz_say(&p->session->console, BRZ_NOTE, "transforms left out %zu distinct stacks",
                left_out);
}

typedef bool select_fn(const brz_selection *, brz_profile *, brz_buf *error);

/* Selects or groups samples. Returns false after reporting an error. */
static bool apply_selection(const brz_pipeline *p, select_fn *apply)
{
    brz_buf error = {0};
    bool good = apply(&p->selection, p->collected.profile, &error);
    if (!good)
        brz_say_code(&p->session->console, BRZ_FATAL, BRZ_SAYS_EMPTY, "%s", brz_buf_text(&error));
    brz_buf_finish(&error);
    return good;
}

/* Transforms the profile. Fails if an expression hits a limit, or if no samples are left. */
static bool apply_transforms(const brz_pipeline *p)
{
    brz_console *console = &p->session->console;
    size_t left_out;
    brz_buf error = {0};
    bool good = brz_transforms_apply(&p->transforms, p->collected.profile, &left_out, &error);
    if (!good) {
        brz_say_code(console, BRZ_FATAL, BRZ_SAYS_PATTERN, "%s", brz_buf_text(&error));
    } else if (!has_samples(p->collected.profile)) {
        brz_say_code(console, BRZ_FATAL, BRZ_SAYS_EMPTY, "the transforms left no samples");
        good = false;
    } else {
        say_left_out(p, left_out);
    }
    brz_buf_finish(&error);
    return good;
}

static const char *name_of_inputs(const brz_pipeline *p)
{
    if (p->n_inputs > 1)
        return "input";
    return strcmp(p->inputs[0].name, "-") == 0 ? "stdin" : p->inputs[0].name;
}

/* Returns whether an empty input gives an empty output. */
static bool may_be_empty(const brz_pipeline *p)
{
    return p->request->allow_empty && !p->collected.is_foreign;
}

/* Reports that there are no samples and, if the input is in another format, its format. */
static void say_empty(const brz_pipeline *p)
{
    const brz_loaded *l = p->collected.looks_like;
    brz_say_code(&p->session->console, may_be_empty(p) ? BRZ_WARNING : BRZ_FATAL, BRZ_SAYS_EMPTY,
                 "%s: no samples in it%s%s", name_of_inputs(p), l == NULL ? "" : "; it looks like ",
                 l == NULL ? "" : l->component->id);
}

/* Returns whether a column contains only zeros. */
static bool is_zero(const brz_profile *profile, uint32_t weight)
{
    for (size_t s = 0; weight != BRZ_NO_WEIGHT && s < profile->weights[weight].n_values; s++)
        if (profile->weights[weight].values[s] != 0)
            return false;
    return true;
}

/* Returns true if an output is a picture or a page, which reports itself that it has nothing to
 * show. */
static bool has_picture(const brz_pipeline *p)
{
    for (size_t i = 0; i < p->n_outputs; i++)
        if (((const brz_output *)p->outputs[i].use.loaded->vtable)->flags & BRZ_OUTPUT_COLOR)
            return true;
    return false;
}

/* Checks that there is something to write: samples whose weights are not all 0. A weight that the
 * user named may be. */
static bool check_weights(const brz_pipeline *p, const brz_subject *subject)
{
    const brz_profile *profile = p->collected.profile;
    if (p->request->weight != NULL || has_picture(p) || !is_zero(profile, subject->weight) ||
        !is_zero(profile, subject->before) || !is_zero(profile, subject->after))
        return true;
    brz_say_code(&p->session->console, may_be_empty(p) ? BRZ_WARNING : BRZ_FATAL, BRZ_SAYS_EMPTY,
                 "%s: all samples have a weight of 0", name_of_inputs(p));
    return may_be_empty(p);
}

bool brz_pipeline_check_outputs(const brz_pipeline *p)
{
    bool good = true;
    for (size_t i = 0; i < p->n_outputs && good; i++)
        good = p->outputs[i].write != NULL || p->outputs[i].inside.folder != NULL ||
               brz_file_sink_check(p->outputs[i].to, &p->session->console);
    return good;
}

/* Checks files before reading the first input, which may take long. Returns false after reporting
 * an error. */
static bool check_files(const brz_pipeline *p)
{
    brz_console *console = &p->session->console;
    brz_buf error = {0};
    bool good = true;
    bool checks_inputs = p->n_inputs > 1 && !p->request->keep_going;
    for (size_t i = 0; i < p->n_inputs && good && checks_inputs; i++)
        good = p->inputs[i].kind != BRZ_INPUT_FILE || p->inputs[i].inside.folder != NULL ||
               brz_source_check(p->inputs[i].name, &error);
    if (!good)
        brz_say_code(console, BRZ_FATAL, BRZ_SAYS_OPEN, "%s", brz_buf_text(&error));
    brz_buf_finish(&error);
    return good && brz_pipeline_check_outputs(p);
}

/* Checks that each weight has its own column: those beyond the limit share the last one. */
static bool check_columns(const brz_pipeline *p)
{
    if (p->collected.profile == NULL || p->collected.profile->n_weights < BRZ_PROFILE_MAX_WEIGHTS)
        return true;
    brz_say_code(
        &p->session->console, BRZ_FATAL, BRZ_SAYS_WEIGHT,
        "%s: more than %d weights, such as events; choose some of them when it is recorded "
        "or by an option of its format",
        name_of_inputs(p), BRZ_PROFILE_MAX_WEIGHTS - 1);
    return false;
}

/* Reports on the thresholds of a comparison. Returns false after reporting an error. */
static bool check_thresholds(brz_pipeline *p, const brz_subject *subject)
{
    const brz_threshold_report r = {.console = &p->session->console,
                                    .profile = p->collected.profile,
                                    .before = subject->before,
                                    .after = subject->after,
                                    .as_json = p->request->fail_report == BRZ_FAIL_REPORT_JSON,
                                    .fails_unmatched = p->request->fail_unmatched};
    return p->thresholds.n == 0 || brz_thresholds_check(&p->thresholds, &r, &p->is_exceeded);
}

/* Writes the outputs of the profile. */
static bool write_all(brz_pipeline *p)
{
    brz_subject subject;
    return choose_subject(p, &subject) && check_weights(p, &subject) &&
           check_thresholds(p, &subject) && choose_palettes(p, &subject) && draw(p, &subject);
}

/* Returns true if a part of the profile has none of the weight shown, and an output cannot show
 * that or must not be empty. */
static bool leaves_out(const brz_pipeline *p, const brz_subject *subject)
{
    const brz_profile *part = p->collected.profile;
    return (!may_be_empty(p) || has_picture(p)) && is_zero(part, subject->weight) &&
           is_zero(part, subject->before) && is_zero(part, subject->after);
}

/* Writes the outputs of a part of the profile. */
static bool write_part(brz_pipeline *p)
{
    brz_subject subject;
    if (is_stopped(p) || !choose_subject(p, &subject))
        return false;
    if (leaves_out(p, &subject)) {
        brz_say_code(&p->session->console, BRZ_WARNING, BRZ_SAYS_EMPTY,
                     "%s: not written: all of its samples have a weight of 0", p->outputs[0].to);
        return true;
    }
    p->wrote_part = true;
    return choose_palettes(p, &subject) && draw(p, &subject);
}

/* Writes the outputs of each part, and reports an error if no part has any of the weight. */
static bool write_parts(brz_pipeline *p)
{
    if (!brz_pipeline_write_split(p, write_part))
        return false;
    if (!p->wrote_part)
        brz_say_code(&p->session->console, BRZ_FATAL, BRZ_SAYS_EMPTY,
                     "%s: all samples have a weight of 0", name_of_inputs(p));
    return p->wrote_part;
}

static bool write_profile(brz_pipeline *p)
{
    return p->request->split_by == NULL ? write_all(p) : write_parts(p);
}

/* Warns about tags and metadata that did not fit into the profile. */
static void say_full(const brz_pipeline *p)
{
    brz_buf b = {0};
    if (p->collected.profile != NULL && brz_profile_describe_full(p->collected.profile, &b))
        brz_say_code(&p->session->console, BRZ_WARNING, BRZ_SAYS_FULL, "%s: %s", name_of_inputs(p),
                     brz_buf_text(&b));
    brz_buf_finish(&b);
}

/* The output of a merge. */
typedef struct sums_output {
    const brz_pipeline *pipeline;
    brz_file_sink *file; /* NULL: not open */
} sums_output;

/* Implements brz_merge_open_sink. */
static brz_sink *open_sums(void *context)
{
    sums_output *o = context;
    o->file = open_sink(o->pipeline, &o->pipeline->outputs[0]);
    return o->file != NULL ? brz_file_sink_sink(o->file) : NULL;
}

/* Adds up inputs without a profile, see pipeline_merge.h. Returns false if the run needs one. */
static bool merge_sorted(brz_pipeline *p, brz_verdict *verdict)
{
    sums_output output = {.pipeline = p};
    brz_merge *merge = brz_merge_open(p);
    if (merge == NULL)
        return false;
    brz_merge_end end = brz_merge_write(merge, open_sums, &output);
    bool good = end == BRZ_MERGE_WRITTEN && brz_file_sink_complete(output.file) && !is_stopped(p) &&
                brz_file_sink_commit(output.file);
    *verdict = good ? BRZ_VERDICT_OK : BRZ_VERDICT_FAILED;
    brz_file_sink_destroy(output.file);
    brz_merge_close(merge);
    return end != BRZ_MERGE_NEEDS_PROFILE;
}

/* Draws an input without collapsing it, see pipeline_tree.h. Returns false if that is not possible.
 */
static bool draw_sorted(brz_pipeline *p, brz_verdict *verdict)
{
    brz_tree_end end = brz_pipeline_read_tree(p);
    *verdict = end == BRZ_TREE_READ && !is_stopped(p) && write_all(p) ? BRZ_VERDICT_OK
                                                                      : BRZ_VERDICT_FAILED;
    if (p->tree != NULL)
        brz_call_tree_finish(p->tree);
    free(p->tree);
    p->tree = NULL;
    return end != BRZ_TREE_NEEDS_PROFILE;
}

static brz_verdict run_stages(brz_pipeline *p)
{
    brz_verdict verdict;
    if (!check_files(p))
        return BRZ_VERDICT_FAILED;
    if (merge_sorted(p, &verdict) || draw_sorted(p, &verdict))
        return verdict;
    if (!read_inputs(p))
        return p->misused ? BRZ_VERDICT_USAGE : BRZ_VERDICT_FAILED;
    say_full(p);
    if (!has_samples(p->collected.profile)) {
        say_empty(p);
        return may_be_empty(p) && write_nothing(p) ? BRZ_VERDICT_OK : BRZ_VERDICT_FAILED;
    }
    if (!check_columns(p) || !apply_selection(p, brz_selection_apply) || !apply_transforms(p))
        return BRZ_VERDICT_FAILED;
    brz_detail_name_frames(p->collected.profile, p->request->detail);
    if (!apply_selection(p, brz_selection_group) || is_stopped(p) || !write_profile(p))
        return p->misused ? BRZ_VERDICT_USAGE : BRZ_VERDICT_FAILED;
    return p->lost > 0      ? BRZ_VERDICT_PARTLY
           : p->is_exceeded ? BRZ_VERDICT_EXCEEDED
                            : BRZ_VERDICT_OK;
}

const brz_limits *brz_pipeline_limits(const brz_pipeline *p)
{
    return &p->request->limits;
}

brz_verdict brz_pipeline_run(brz_pipeline *p, brz_run *run)
{
    p->run = run;
    brz_limits limits = p->request->limits;
    limits.threads = (unsigned)p->request->threads;
    brz_limit_watch *watch = brz_limit_watch_begin(run, &limits);
    bool describes = brz_registry_describe(p->session->registry, brz_pipeline_isolates(p));
    brz_verdict verdict = run_stages(p);
    brz_registry_describe(p->session->registry, describes);
    bool is_done = brz_verdict_has_outputs(verdict);
    if (!brz_limit_watch_end(watch, !is_done) || is_done)
        return verdict;
    atomic_store(&run->stop, false); /* nobody else requested it */
    return BRZ_VERDICT_FAILED;
}
