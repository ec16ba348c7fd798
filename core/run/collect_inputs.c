/* SPDX-License-Identifier: MIT */
/* Reads all inputs of a run into one profile: adds them up, or makes each a side of a comparison.
 */
#include "run/execution.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "profile/compare.h"
#include "profile/input_labels.h"
#include "report/quality.h"
#include "report/unnamed.h"

/* Destroys a profile, unless it is NULL, and forgets it. */
static void discard(brz_profile **profile)
{
    brz_profile_destroy(*profile);
    *profile = NULL;
}

/* Returns a profile to a new owner. */
static brz_profile *move(brz_profile **from)
{
    brz_profile *profile = *from;
    *from = NULL;
    return profile;
}

static bool has_samples(const brz_profile *profile)
{
    return profile != NULL && profile->n_stacks > 0;
}

/* ---- adding -------------------------------------------------------------------------------- */

/* Prepares the facts of an input for those of previous ones. */
static void reconcile(brz_profile *result, brz_profile *own, bool adds)
{
    brz_facts_reconcile(&result->facts, &result->strings, &own->facts, &own->strings, adds);
}

/* Adds the profile of an input to the sum of previous ones. Stores stacks that several inputs
 * contain only once, so that memory depends on the number of distinct stacks. The first profile
 * need not be copied if its stacks are distinct. */
static bool add_share(brz_execution *x, brz_profile **sum, brz_profile **own, const char *path)
{
    if (!brz_execution_match_weights(x, *sum, *own, path))
        return false;
    if (!has_samples(*own)) { /* its weights must not become those of the sum */
        discard(own);
    } else if (*sum == NULL && brz_profile_intern_all(*own)) {
        *sum = move(own);
    } else {
        if (*sum == NULL)
            *sum = brz_profile_create();
        else
            reconcile(*sum, *own, true);
        brz_profile_absorb_distinct(*sum, *own);
        discard(own);
    }
    return true;
}

/* Returns whether the profile of the first input can become that of the comparison. If counts are
 * scaled, which rounds them, each stack must occur only once. */
static bool can_be_first(const brz_execution *x, brz_profile *own)
{
    return x->plan->request->normalize == BRZ_NORMALIZE_NO || brz_profile_intern_all(own);
}

static brz_str name_of_side(size_t side)
{
    return side == 0 ? BRZ_BEFORE : BRZ_AFTER;
}

static void mark_side(brz_profile *both, uint32_t column, size_t side)
{
    brz_mark_compared(both, column, side == 0 ? BRZ_COLUMN_BEFORE : BRZ_COLUMN_AFTER);
}

/* Adds the empty column of a side without samples, with a warning. */
static void add_empty_side(const brz_execution *x, brz_profile *both, size_t side)
{
    brz_say_code(brz_execution_console(x), BRZ_WARNING, BRZ_SAYS_EMPTY, "%s: no samples in it",
                 x->plan->inputs[side].name);
    mark_side(both, brz_profile_add_weight(both, name_of_side(side), BRZ_STR(""), 0, side), side);
}

/* Makes the column of an input one of the two that are compared. */
static bool add_side(brz_execution *x, brz_profile **both, brz_profile **own, size_t side)
{
    uint32_t weight = BRZ_NO_COLUMN;
    if (*both == NULL)
        *both = brz_profile_create();
    if (!has_samples(*own)) {
        add_empty_side(x, *both, side);
        discard(own);
        return true;
    }
    if (!brz_execution_match_side(x, *both, *own, side, &weight))
        return false;
    if (side == 0 && can_be_first(x, *own)) {
        brz_profile_destroy(*both);
        *both = move(own);
        brz_profile_keep_column(*both, weight, name_of_side(side));
        mark_side(*both, 0, side);
        return true;
    }
    if (side > 0)
        reconcile(*both, *own, false);
    uint32_t column = brz_profile_absorb_column(*both, *own, weight, name_of_side(side));
    mark_side(*both, column, side);
    discard(own);
    return true;
}

/* Returns false after an error if the input has a column in two units, whose sums mean nothing. */
static bool check_units(const brz_execution *x, const brz_profile *own, const char *path)
{
    return own == NULL || own->clash.name == 0 ||
           brz_pipeline_fail(x->plan, BRZ_SAYS_WEIGHT,
                             "%s: '%s' is in both %s and %s, which cannot be added",
                             strcmp(path, "-") == 0 ? "stdin" : path,
                             brz_strings_at(&own->strings, own->clash.name).data,
                             brz_strings_at(&own->strings, own->clash.units[0]).data,
                             brz_strings_at(&own->strings, own->clash.units[1]).data);
}

/* Selects the samples of a side's range, if it has one. Returns false after reporting an error,
 * such as an empty range. */
static bool select_side(const brz_execution *x, brz_profile *own, size_t side)
{
    const brz_selection *sides = x->plan->sides;
    brz_buf error = {0};
    if (side > 1 || !sides[side].has_time || own == NULL)
        return true;
    bool good = brz_selection_apply(&sides[side], own, &error);
    if (!good)
        brz_pipeline_fail(x->plan, BRZ_SAYS_EMPTY, "--%s: %s", side == 0 ? "before" : "after",
                          own->samples.n == 0 ? "no samples are in this range of time"
                                              : brz_buf_text(&error));
    brz_buf_finish(&error);
    return good;
}

/* Adds the profile of an input, which becomes NULL, to the result. Returns false after reporting an
 * error. */
static bool add_input(brz_execution *x, brz_profile **result, brz_profile **own, size_t i)
{
    const brz_pipeline *p = x->plan;
    const char *labels = p->request->labels, *name = p->inputs[i].name;
    if (!check_units(x, *own, name) || !select_side(x, *own, i))
        return false;
    if (labels != NULL)
        brz_input_labels_add(brz_str_of_text(labels), name, *own);
    if (p->request->compare && p->n_inputs > 1)
        return add_side(x, result, own, i);
    if (p->n_inputs > 1)
        return add_share(x, result, own, name);
    *result = move(own);
    return true;
}

/* ---- losses -------------------------------------------------------------------------------- */

/* Returns whether to continue after an input was lost. */
static bool go_on_without(brz_execution *x)
{
    x->n_lost++;
    return !x->plan->request->compare && x->n_lost < x->plan->n_inputs &&
           !brz_execution_is_stopped(x);
}

/* Reads an input and adds it to the result. Returns whether to continue with the next one. */
static bool read_and_add(brz_execution *x, brz_profile **result, brz_profile **own, size_t i)
{
    brz_input_end end = brz_execution_read_input(x, i, own);
    if (end == BRZ_INPUT_LOST)
        return go_on_without(x);
    if (end == BRZ_INPUT_READ && !brz_execution_is_stopped(x) && add_input(x, result, own, i))
        return true;
    if (!x->plan->request->keep_going || x->is_misused || brz_execution_is_stopped(x))
        return false;
    discard(own);
    return go_on_without(x);
}

/* Returns whether the two sides of a comparison are ranges of the same input. */
static bool is_same_input(const brz_pipeline *p)
{
    return p->n_inputs == 2 && p->request->n_inputs < 2;
}

/* Reads the inputs up to the first one that ends the run. */
static bool collect(brz_execution *x, brz_profile **result)
{
    bool good = true;
    for (size_t i = 0; i < x->plan->n_inputs && good; i++) {
        brz_profile *own = NULL;
        if (i > 0 && x->plan->sides[0].has_time && is_same_input(x->plan))
            brz_notices_finish(&x->collected.reports); /* the second reading reports the same */
        good = read_and_add(x, result, &own, i);
        if (!good && *result == NULL)
            *result = move(&own); /* reports name its weight */
        brz_profile_destroy(own);
    }
    return good;
}

/* ---- reports ------------------------------------------------------------------------------- */

/* Warns of a folder of --sysroot that is not there, since it confines what inputs name. */
static void check_sysroot(const brz_execution *x)
{
    struct stat st;
    const char *root = x->plan->request->sysroot;
    if (root != NULL && (stat(root, &st) != 0 || !S_ISDIR(st.st_mode)))
        brz_say_code(brz_execution_console(x), BRZ_WARNING, BRZ_SAYS_OPEN,
                     "--sysroot: there is no folder '%s', so files that inputs name are not read",
                     root);
}

/* Reports the number of inputs that the result lacks. */
static void say_lost_inputs(const brz_execution *x)
{
    if (x->plan->request->keep_going && x->n_lost > 0)
        brz_say_code(brz_execution_console(x), BRZ_WARNING, BRZ_SAYS_READ,
                     "left out: %zu of %zu inputs", x->n_lost, x->plan->n_inputs);
}

/* Returns the name of the first weight if there are several; otherwise an empty text. */
static brz_str first_weight(const brz_profile *profile)
{
    if (profile == NULL || profile->n_weights < 2)
        return brz_str_of("", 0);
    return brz_strings_at(&profile->strings, profile->weights[0].name);
}

/* Makes the lines about the inputs that outputs can show. */
static void note_lacks(brz_execution *x, bool names_inputs, brz_str weight)
{
    const brz_notices *reports = &x->collected.reports;
    brz_quality_add_findings(&x->lacks.findings, reports, names_inputs);
    brz_add_left_out(&x->lacks.left_out, &reports->left_out, weight);
    if (x->n_lost > 0)
        brz_buf_printf(&x->lacks.left_out, "%s%zu of %zu inputs",
                       x->lacks.left_out.len > 0 ? "; " : "", x->n_lost, x->plan->n_inputs);
    x->run->lacks = &x->lacks;
}

/* Reports the quality of the profile, which is examined only if the user asks. */
static void report_quality(brz_execution *x, const brz_profile *result)
{
    const brz_request *r = x->plan->request;
    bool names_inputs = x->plan->n_inputs > 1 && !is_same_input(x->plan);
    note_lacks(x, names_inputs, first_weight(result));
    if (r->quality >= BRZ_QUALITY_TEXT)
        brz_unnamed_report(result, &x->collected.reports);
    const char *first = brz_quality_report(brz_execution_console(x), &x->collected.reports,
                                           r->quality, r->sysroot, names_inputs);
    snprintf(x->run->finding, sizeof x->run->finding, "%s", first == NULL ? "" : first);
}

bool brz_execution_read_inputs(brz_execution *x, brz_profile **profile)
{
    brz_notices *reports = &x->collected.reports;
    check_sysroot(x);
    bool good = collect(x, profile);
    brz_notices_sort(reports);
    if (brz_execution_is_stopped(x)) /* the progress made by then is arbitrary */
        return good;
    brz_say_notices(brz_execution_console(x), reports);
    brz_say_left_out(brz_execution_console(x), &reports->left_out, first_weight(*profile));
    say_lost_inputs(x);
    if (good)
        report_quality(x, *profile);
    return good;
}
