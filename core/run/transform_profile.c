/* SPDX-License-Identifier: MIT */
/* Transforms the profile of a run: selects samples, applies the transforms, and groups stacks. */
#include "isolate/transforms.h"
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

static brz_transforms_run transforms_of(const brz_execution *x)
{
    const brz_pipeline *p = x->plan;
    return (brz_transforms_run){
        .registry = p->session->registry,
        .run = x->run,
        .transforms = &p->transforms,
        .threads = brz_request_threads(p->request),
        .drops = brz_pipeline_drops(p),
        .sysroot = p->request->sysroot,
        .isolates = brz_pipeline_isolates(p),
        .memory = p->request->limits.memory,
    };
}

/* Reports that no samples are left, with the transforms that may have left them out. */
static bool say_nothing_left(const brz_execution *x)
{
    const brz_transforms *t = &x->plan->transforms;
    brz_buf names = {0};
    for (size_t i = 0; i < t->n; i++)
        if (brz_transforms_may_leave_out(t, i))
            brz_buf_printf(&names, "%s%s", names.len > 0 ? ", " : "", brz_transforms_name(t, i));
    brz_pipeline_fail(x->plan, BRZ_SAYS_EMPTY, "the transforms left no samples (%s)",
                      brz_buf_text(&names));
    brz_buf_finish(&names);
    return false;
}

/* Applies the transforms. Fails if one of them does, or if no samples are left. */
static bool apply_transforms(brz_execution *x, brz_profile *profile)
{
    brz_console *console = brz_execution_console(x);
    const brz_transforms_run run = transforms_of(x);
    brz_transforms_end end;
    bool good = brz_transforms_run_all(&run, profile, &end);
    if (end.error.len > 0)
        brz_pipeline_fail(x->plan, BRZ_SAYS_PATTERN, "%s", brz_buf_text(&end.error));
    brz_buf_finish(&end.error);
    if (good && profile->n_stacks == 0)
        return say_nothing_left(x);
    if (good && end.left_out > 0 && console->verbosity > 0)
        brz_say(console, BRZ_NOTE, "transforms left out %zu distinct stacks", end.left_out);
    return good;
}

bool brz_execution_check_transforms(brz_execution *x)
{
    bool is_misused = false;
    const brz_transforms_run run = transforms_of(x);
    bool good = brz_transforms_check_options(&run, &is_misused);
    x->is_misused |= is_misused;
    return good;
}

bool brz_execution_transform(brz_execution *x, brz_profile *profile)
{
    if (!apply_selection(x, profile, brz_selection_apply) || !apply_transforms(x, profile))
        return false;
    brz_detail_name_frames(profile, x->plan->request->detail);
    return apply_selection(x, profile, brz_selection_group) && !brz_execution_is_stopped(x);
}
