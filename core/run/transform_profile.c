/* Transforms the profile of a run: selects samples, applies the transforms, and groups stacks. */
#include "profile/detail.h"
#include "run/execution.h"

typedef bool select_fn(const brz_selection *, brz_profile *, brz_buf *error);

/* Selects or groups samples. Returns false after reporting an error. */
static bool apply_selection(const brz_execution *x, brz_profile *profile, select_fn *apply)
{
    brz_buf error = {0};
    bool good = apply(&x->plan->selection, profile, &error) ||
                brz_pipeline_fail(x->plan, BRZ_SAYS_EMPTY, "%s", brz_buf_text(&error));
    brz_buf_finish(&error);
    return good;
}

/* Applies the transforms. Fails if an expression hits a limit, or if no samples are left. */
static bool apply_transforms(const brz_execution *x, brz_profile *profile)
{
    brz_console *console = brz_execution_console(x);
    size_t left_out;
    brz_buf error = {0};
    bool good = brz_transforms_apply(&x->plan->transforms, profile, &left_out, &error) ||
                brz_pipeline_fail(x->plan, BRZ_SAYS_PATTERN, "%s", brz_buf_text(&error));
    brz_buf_finish(&error);
    if (good && profile->n_stacks == 0)
        return brz_pipeline_fail(x->plan, BRZ_SAYS_EMPTY, "the transforms left no samples");
    if (good && left_out > 0 && console->verbosity > 0)
        brz_say(console, BRZ_NOTE, "transforms left out %zu distinct stacks", left_out);
    return good;
}

bool brz_execution_transform(const brz_execution *x, brz_profile *profile)
{
    if (!apply_selection(x, profile, brz_selection_apply) || !apply_transforms(x, profile))
        return false;
    brz_detail_name_frames(profile, x->plan->request->detail);
    return apply_selection(x, profile, brz_selection_group) && !brz_execution_is_stopped(x);
}
