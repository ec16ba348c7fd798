/* SPDX-License-Identifier: MIT */
/* Checks whether the weights of several inputs can be added or compared. */
#include "run/execution.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "profile/weight.h"

/* ---- messages ------------------------------------------------------------------------------- */

static const char *display(const char *path)
{
    return strcmp(path, "-") == 0 ? "stdin" : path;
}

/* Returns the name of the first input of the sum. */
static const char *first_input(const brz_execution *x)
{
    return display(x->first_added == NULL ? x->plan->inputs[0].name : x->first_added);
}

/* The weight that is shown of the sum. */
typedef struct shown_weight {
    brz_str name, unit;  /* the unit may be unknown: empty */
    bool counts_samples; /* or what folded text counts, which need not say so */
} shown_weight;

/* Warns that an input adds nothing to the weight that is shown. */
static void say_no_values(const brz_execution *x, const char *path, brz_str shown)
{
    brz_say_code(brz_execution_console(x), BRZ_WARNING, BRZ_SAYS_WEIGHT,
                 "%s: has no values of '%.*s', the weight shown", display(path), (int)shown.len,
                 shown.data);
}

/* Reports that the input `path` lacks the weight that is shown. */
static bool say_unlike(const brz_execution *x, const brz_profile *profile, const char *path,
                       const shown_weight *shown)
{
    brz_buf own = {0}, other = {0};
    brz_weights_describe(profile, &own);
    brz_weight_describe(shown->name, shown->unit, &other);
    if (x->first_added == NULL || x->plan->request->weight != NULL)
        brz_say_code(brz_execution_console(x), BRZ_FATAL, BRZ_SAYS_WEIGHT,
                     "%s: has no values of %s, but of %s; name a weight that all inputs have with "
                     "-w",
                     display(path), brz_buf_text(&other), brz_buf_text(&own));
    else
        brz_say_code(brz_execution_console(x), BRZ_FATAL, BRZ_SAYS_WEIGHT,
                     "%s: has %s, but %s has %s, which cannot be added; name a weight that all "
                     "inputs have with -w, or add up each kind of recording by itself",
                     display(path), brz_buf_text(&own), first_input(x), brz_buf_text(&other));
    brz_buf_finish(&own);
    brz_buf_finish(&other);
    return false;
}

/* Reports that a column of the input `path` has the unit `own`, and `before` in previous ones. */
static bool say_unit(const brz_execution *x, const char *path, brz_str name, brz_str own,
                     brz_str before)
{
    return brz_pipeline_fail(x->plan, BRZ_SAYS_WEIGHT,
                             "%s: '%.*s' is in %.*s here and in %.*s in %s, which cannot be "
                             "added; add up each kind of recording by itself",
                             display(path), (int)name.len, name.data, (int)own.len, own.data,
                             (int)before.len, before.data, first_input(x));
}

/* Reports that the sides of a comparison have different weights, which are an error unless folded
 * text may have left one of them unnamed. */
static void say_sides(const brz_execution *x, int32_t severity, const shown_weight *before,
                      const shown_weight *after)
{
    const brz_input *inputs = x->plan->inputs;
    brz_buf a = {0}, b = {0};
    brz_weight_describe(before->name, before->unit, &a);
    brz_weight_describe(after->name, after->unit, &b);
    brz_say_code(brz_execution_console(x), severity, BRZ_SAYS_WEIGHT,
                 "%s: has %s, but %s has %s, which %s", display(inputs[1].name), brz_buf_text(&b),
                 display(inputs[0].name), brz_buf_text(&a),
                 severity == BRZ_FATAL
                     ? "cannot be compared; -n compares shares, -w names a weight that both "
                       "have"
                     : "are compared as if they were the same; -n compares shares");
    brz_buf_finish(&a);
    brz_buf_finish(&b);
}

/* ---- adding --------------------------------------------------------------------------------- */

static shown_weight shown_column(const brz_profile *p, uint32_t column)
{
    return (shown_weight){brz_weight_name(p, column), brz_weight_unit(p, column),
                          brz_weight_counts_samples(p, column)};
}

/* Finds the weight that is shown: that of the sum or, for the first input, of its own profile. */
static shown_weight find_shown(const brz_execution *x, const brz_profile *sum,
                               const brz_profile *own)
{
    const char *wanted = x->plan->request->weight;
    const brz_profile *from = sum != NULL && sum->n_weights > 0 ? sum : own;
    uint32_t column = brz_execution_shown_weight(x, from);
    if (column != BRZ_NO_COLUMN)
        return shown_column(from, column);
    return (shown_weight){.name = wanted == NULL ? BRZ_STR("?") : brz_str_of_text(wanted)};
}

/* Returns whether the unit of one column is samples and that of the other one something else.
 * Columns that count all samples may have other units, since folded text need not name its own. */
static bool counts_samples_once(const brz_profile *sum, uint32_t column, const brz_profile *own,
                                uint32_t i)
{
    brz_str samples = BRZ_STR("samples");
    brz_str a = brz_weight_unit(sum, column), b = brz_weight_unit(own, i);
    bool is_count = brz_weight_counts_samples(sum, column) || brz_weight_counts_samples(own, i);
    return !is_count && a.len > 0 && b.len > 0 &&
           brz_str_equal(a, samples) != brz_str_equal(b, samples);
}

/* Brings columns of the same name, whose values are added up, to the same unit. Returns false after
 * reporting an error if that is impossible. */
static bool match_units(const brz_execution *x, brz_profile *sum, brz_profile *own,
                        const char *path)
{
    for (uint32_t i = 0; own != NULL && sum != NULL && i < own->n_weights; i++) {
        brz_str name = brz_weight_name(own, i);
        uint32_t column = brz_profile_find_weight(sum, name);
        if (column == BRZ_NO_COLUMN)
            continue;
        if (counts_samples_once(sum, column, own, i) ||
            !brz_weight_match_units(sum, column, own, i))
            return say_unit(x, path, name, brz_weight_unit(own, i), brz_weight_unit(sum, column));
    }
    return true;
}

/* Keeps the name of the weight that all inputs share, longer than their profiles. */
static void share_weight(brz_execution *x, brz_str name)
{
    free(x->shared_weight);
    x->shared_weight = brz_memdup(name.data, name.len);
}

/* Remembers the first input of the sum that has values, and the weight that is shown of it. */
static void note_first(brz_execution *x, brz_str shown, const char *path)
{
    if (x->first_added != NULL)
        return;
    x->first_added = path;
    if (x->plan->request->weight == NULL)
        share_weight(x, shown);
}

bool brz_execution_match_weights(brz_execution *x, brz_profile *sum, brz_profile *own,
                                 const char *path)
{
    shown_weight shown = find_shown(x, sum, own);
    if (!brz_weights_have_values(own)) {
        say_no_values(x, path, shown.name);
        return match_units(x, sum, own, path);
    }
    if (!brz_weight_has_values(own, brz_profile_find_weight(own, shown.name)))
        return say_unlike(x, own, path, &shown);
    if (!match_units(x, sum, own, path))
        return false;
    note_first(x, shown.name, path);
    return true;
}

/* ---- comparing ------------------------------------------------------------------------------ */

/* Returns whether both weights may count the same. Folded text, whose weight counts samples, need
 * not name another one. */
static bool is_like(const shown_weight *a, const shown_weight *b)
{
    return brz_str_equal(a->name, b->name) || a->counts_samples || b->counts_samples;
}

/* Brings the second column of a comparison to the unit of the first one. Returns false after
 * reporting an error if they do not count the same. */
static bool match_sides(const brz_execution *x, brz_profile *both, brz_profile *own,
                        uint32_t weight)
{
    shown_weight before = shown_column(both, 0);
    const shown_weight after = shown_column(own, weight);
    before.name = brz_str_of_text(x->shared_weight);
    bool good = is_like(&before, &after) && brz_weight_match_units(both, 0, own, weight);
    if (!good || !brz_str_equal(before.name, after.name))
        say_sides(x, good ? BRZ_WARNING : BRZ_FATAL, &before, &after);
    return good;
}

bool brz_execution_match_side(brz_execution *x, brz_profile *both, brz_profile *own, size_t side,
                              uint32_t *weight)
{
    if (!brz_execution_find_weight(x, own, weight))
        return false;
    if (side == 0) {
        share_weight(x, brz_weight_name(own, *weight));
        return true;
    }
    return x->shared_weight == NULL || x->plan->request->normalize != BRZ_NORMALIZE_NO ||
           match_sides(x, both, own, *weight);
}
