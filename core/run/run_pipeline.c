/* SPDX-License-Identifier: MIT */
/* Runs a pipeline: reads its inputs, transforms the profile, writes its outputs. */
#include "run/execution.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* ---- checks -------------------------------------------------------------------------------- */

/* Checks files before reading the first input, which may take long. Returns false after reporting
 * an error. */
static bool check_files(const brz_pipeline *p)
{
    brz_buf error = {0};
    bool good = true;
    bool checks_inputs = p->n_inputs > 1 && !p->request->keep_going;
    for (size_t i = 0; i < p->n_inputs && good && checks_inputs; i++)
        good = p->inputs[i].kind != BRZ_INPUT_FILE || p->inputs[i].inside.folder != NULL ||
               brz_source_check(p->inputs[i].name, &error);
    if (!good)
        brz_pipeline_fail(p, BRZ_SAYS_OPEN, "%s", brz_buf_text(&error));
    brz_buf_finish(&error);
    return good && brz_pipeline_check_outputs(p);
}

/* Warns about tags and metadata that did not fit into the profile, which may be NULL. */
static void say_full(const brz_pipeline *p, const brz_profile *profile)
{
    brz_buf b = {0};
    if (profile != NULL && brz_profile_describe_full(profile, &b))
        brz_say_code(&p->session->console, BRZ_WARNING, BRZ_SAYS_FULL, "%s: %s",
                     brz_pipeline_input_name(p), brz_buf_text(&b));
    brz_buf_finish(&b);
}

/* Checks that each weight has its own column: those beyond the limit share the last one. */
static bool check_columns(const brz_pipeline *p, const brz_profile *profile)
{
    return profile->n_weights < BRZ_PROFILE_MAX_WEIGHTS ||
           brz_pipeline_fail(p, BRZ_SAYS_WEIGHT,
                             "%s: more than %d weights, such as events; choose some of them when "
                             "it is recorded or by an option of its format",
                             brz_pipeline_input_name(p), BRZ_PROFILE_MAX_WEIGHTS - 1);
}

/* ---- stages -------------------------------------------------------------------------------- */

/* Transforms and writes the profile that was read, or NULL. */
static bool use_profile(brz_execution *x, brz_profile *profile)
{
    say_full(x->plan, profile);
    if (profile == NULL || profile->n_stacks == 0)
        return brz_execution_write_empty(x);
    if (!check_columns(x->plan, profile) || !brz_execution_transform(x, profile))
        return false;
    return x->plan->request->split_by == NULL ? brz_execution_write(x, profile, NULL)
                                              : brz_execution_write_split(x, profile);
}

/* Runs all stages. Returns whether the outputs are written. */
static bool run_stages(brz_execution *x)
{
    bool is_written;
    brz_profile *profile = NULL;
    if (!check_files(x->plan) || !brz_execution_check_transforms(x))
        return false;
    if (brz_execution_merge(x, &is_written) || brz_execution_draw(x, &is_written))
        return is_written;
    is_written = brz_execution_read_inputs(x, &profile) && use_profile(x, profile);
    brz_profile_destroy(profile);
    return is_written;
}

/* Returns the verdict on a run that has ended. */
static brz_verdict verdict_of(const brz_execution *x, bool is_written)
{
    if (!is_written)
        return x->is_misused ? BRZ_VERDICT_USAGE : BRZ_VERDICT_FAILED;
    if (x->n_lost > 0)
        return BRZ_VERDICT_PARTLY;
    return x->is_exceeded ? BRZ_VERDICT_EXCEEDED : BRZ_VERDICT_OK;
}

/* ---- running ------------------------------------------------------------------------------- */

static brz_execution begin(const brz_pipeline *p, brz_run *run)
{
    brz_execution x = {.plan = p, .run = run};
    size_t n = p->request->n_settings;
    x.used = brz_calloc(n, sizeof *x.used);
    if (n > 0)
        memcpy(x.used, p->used, n * sizeof *x.used);
    return x;
}

static void finish(brz_execution *x)
{
    for (size_t i = 0; i < x->plan->n_outputs && x->comparing != NULL; i++)
        brz_chain_finish(&x->comparing[i]);
    x->run->lacks = NULL;
    brz_buf_finish(&x->lacks.findings);
    brz_buf_finish(&x->lacks.left_out);
    brz_notices_finish(&x->collected.reports);
    free(x->comparing);
    free(x->shared_weight);
    free(x->used);
}

/* Runs all stages within the limits on memory and time. */
static bool run_limited(brz_execution *x)
{
    const brz_request *r = x->plan->request;
    brz_limits limits = r->limits;
    limits.threads = (unsigned)r->threads;
    brz_limit_watch *watch = brz_limit_watch_begin(x->run, &limits);
    bool is_written = run_stages(x);
    if (brz_limit_watch_end(watch, !is_written) && !is_written) {
        atomic_store(&x->run->stop, false); /* nobody else requested it */
        x->is_misused = false;
    }
    return is_written;
}

brz_verdict brz_pipeline_run(const brz_pipeline *p, brz_run *run)
{
    brz_execution x = begin(p, run);
    bool describes = brz_registry_describe(p->session->registry, brz_pipeline_isolates(p));
    brz_verdict verdict = verdict_of(&x, run_limited(&x));
    brz_registry_describe(p->session->registry, describes);
    finish(&x);
    return verdict;
}
