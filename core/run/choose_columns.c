/* SPDX-License-Identifier: MIT */
/* Chooses the columns of the profile that outputs show. */
#include "run/execution.h"

#include "base/suggest.h"
#include "profile/compare.h"
#include "profile/weight.h"

/* Returns the column that is shown unless the user names one: that of previous inputs, that of the
 * caller, or else that of the profile. */
static uint32_t default_weight(const brz_execution *x, const brz_profile *profile)
{
    const char *const names[] = {x->shared_weight, x->plan->request->otherwise_weight};
    for (size_t i = 0; i < BRZ_COUNT_OF(names); i++) {
        uint32_t preferred = brz_weight_find(profile, names[i]);
        if (preferred != BRZ_NO_COLUMN)
            return preferred;
    }
    return brz_weight_default(profile);
}

uint32_t brz_execution_shown_weight(const brz_execution *x, const brz_profile *profile)
{
    const char *wanted = x->plan->request->weight;
    if (profile == NULL || profile->n_weights == 0)
        return BRZ_NO_COLUMN;
    return wanted != NULL ? brz_weight_find(profile, wanted) : default_weight(x, profile);
}

/* Reports that the profile has no weight of this name. */
static bool say_no_weight(const brz_execution *x, const brz_profile *profile, const char *wanted)
{
    brz_buf b = {0};
    brz_suggestion near = {.typed = brz_str_of_text(wanted)};
    for (size_t i = 0; i < profile->n_weights; i++) {
        const char *name = brz_weight_name(profile, i).data;
        brz_buf_printf(&b, "%s%s", i > 0 ? ", " : "", name);
        brz_suggestion_offer(&near, name);
    }
    if (profile->n_weights > 1)
        brz_suggestion_add(&near, &b);
    brz_pipeline_fail(x->plan, BRZ_SAYS_WEIGHT, "the input has no weight '%s'; it has %s", wanted,
                      brz_buf_text(&b));
    brz_buf_finish(&b);
    return false;
}

bool brz_execution_find_weight(const brz_execution *x, const brz_profile *profile, uint32_t *weight)
{
    const char *wanted = x->plan->request->weight;
    if (wanted == NULL) {
        *weight = default_weight(x, profile);
        return true;
    }
    *weight = brz_weight_find(profile, wanted);
    return *weight != BRZ_NO_COLUMN || say_no_weight(x, profile, wanted);
}

/* Scales the columns of a comparison as the request says, and returns the one that determines
 * widths. */
static uint32_t prepare_comparison(const brz_request *r, brz_profile *profile, uint32_t before,
                                   uint32_t after)
{
    if (r->normalize != BRZ_NORMALIZE_NO)
        brz_scale_column(profile, before, after, r->normalize == BRZ_NORMALIZE_YES ? 2 : 0,
                         r->normalize == BRZ_NORMALIZE_FLOOR);
    brz_align_comparison(profile, before, after);
    switch (r->base_on) {
    case BRZ_BASE_ON_BOTH:
        return brz_add_both(profile, before, after);
    case BRZ_BASE_ON_BEFORE:
        return before;
    default:
        return after;
    }
}

/* Returns the column by which palettes choose the colours of frames: the one that is shown by
 * default, or the first one if that has no values, so that a profile has the same colours whichever
 * weight is shown. */
static uint32_t color_weight(const brz_execution *x, const brz_profile *profile,
                             const brz_subject *subject)
{
    uint32_t weight = default_weight(x, profile);
    if (subject->before != BRZ_NO_COLUMN)
        return subject->weight;
    for (uint32_t i = 0; i < profile->n_weights && !brz_weight_has_values(profile, weight); i++)
        weight = i;
    return weight;
}

bool brz_execution_choose_columns(const brz_execution *x, brz_profile *profile,
                                  brz_subject *subject)
{
    const brz_request *r = x->plan->request;
    *subject = (brz_subject){.before = BRZ_NO_COLUMN,
                             .after = BRZ_NO_COLUMN,
                             .drawing = r->drawing,
                             .source = x->plan->source};
    if ((r->weight == NULL || r->compare) &&
        brz_find_comparison(profile, &subject->before, &subject->after))
        subject->weight = prepare_comparison(r, profile, subject->before, subject->after);
    else if (!brz_execution_find_weight(x, profile, &subject->weight))
        return false;
    subject->color_weight = color_weight(x, profile, subject);
    subject->is_signed = brz_has_losses(profile, subject->weight) ||
                         brz_has_losses(profile, subject->before) ||
                         brz_has_losses(profile, subject->after);
    return true;
}
