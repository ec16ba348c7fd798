/* Chooses the columns of the profile that outputs show. */
#include "run/execution.h"

#include <string.h>

#include "profile/compare.h"

/* Finds the column of a name. If no column has the name, removes the last colon and the text after
 * it, since users know events with their modifiers. Returns BRZ_NO_WEIGHT if that fails, too.
 * `name` may be NULL. */
static uint32_t weight_named(const brz_profile *profile, const char *name)
{
    if (name == NULL)
        return BRZ_NO_WEIGHT;
    uint32_t found = brz_profile_find_weight(profile, brz_str_of(name, strlen(name)));
    const char *colon = strrchr(name, ':');
    if (found != BRZ_NO_WEIGHT || colon == NULL)
        return found;
    return brz_profile_find_weight(profile, brz_str_of(name, (size_t)(colon - name)));
}

/* Returns the column that is shown unless the user names one: that of previous inputs, that of the
 * caller, the first one that says so, or else the first one. */
static uint32_t default_weight(const brz_execution *x, const brz_profile *profile)
{
    const char *const names[] = {x->shared_weight, x->plan->request->otherwise_weight};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        uint32_t preferred = weight_named(profile, names[i]);
        if (preferred != BRZ_NO_WEIGHT)
            return preferred;
    }
    for (uint32_t i = 0; i < profile->n_weights; i++)
        if (profile->weights[i].flags & BRZ_WEIGHT_DEFAULT)
            return i;
    return 0;
}

uint32_t brz_execution_shown_weight(const brz_execution *x, const brz_profile *profile)
{
    const char *wanted = x->plan->request->weight;
    if (profile == NULL || profile->n_weights == 0)
        return BRZ_NO_WEIGHT;
    return wanted != NULL ? weight_named(profile, wanted) : default_weight(x, profile);
}

/* Reports that the profile has no weight of this name. */
static bool say_no_weight(const brz_execution *x, const brz_profile *profile, const char *wanted)
{
    brz_buf b = {0};
    for (size_t i = 0; i < profile->n_weights; i++)
        brz_buf_printf(&b, "%s%s", i > 0 ? ", " : "",
                       brz_strings_at(&profile->strings, profile->weights[i].name).data);
    brz_say_code(brz_execution_console(x), BRZ_FATAL, BRZ_SAYS_WEIGHT,
                 "the input has no weight '%s'; it has %s", wanted, brz_buf_text(&b));
    brz_buf_finish(&b);
    return false;
}

bool brz_execution_find_weight(const brz_execution *x, const brz_profile *profile, uint32_t *weight)
{
    const char *wanted = x->plan->request->weight;
    *weight = wanted != NULL ? weight_named(profile, wanted) : default_weight(x, profile);
    return *weight != BRZ_NO_WEIGHT || say_no_weight(x, profile, wanted);
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

bool brz_execution_choose_columns(const brz_execution *x, brz_profile *profile,
                                  brz_subject *subject)
{
    const brz_request *r = x->plan->request;
    *subject =
        (brz_subject){.before = BRZ_NO_WEIGHT, .after = BRZ_NO_WEIGHT, .drawing = r->drawing};
    if ((r->weight == NULL || r->compare) &&
        brz_find_comparison(profile, &subject->before, &subject->after))
        subject->weight = prepare_comparison(r, profile, subject->before, subject->after);
    else if (!brz_execution_find_weight(x, profile, &subject->weight))
        return false;
    subject->is_signed = brz_has_losses(profile, subject->weight);
    return true;
}
