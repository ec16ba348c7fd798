/* SPDX-License-Identifier: MIT */
/* Sets which samples a run shows or compares: selections, ranges of time, thresholds. */
#include "run/plan.h"

#include <string.h>

/* ---- selections ---------------------------------------------------------------------------- */

typedef bool set_fn(brz_selection *, brz_str, brz_buf *error);

/* Parses an option that selects or groups samples; `text` may be NULL. Returns false after
 * reporting an error. */
static bool set_selection(brz_pipeline *p, const char *option, const char *text, set_fn *set)
{
    brz_buf error = {0};
    if (text != NULL)
        set(&p->selection, brz_str_of_text(text), &error);
    return brz_pipeline_check_error(p, brz_pipeline_key(p, option), NULL, &error);
}

/* ---- sides --------------------------------------------------------------------------------- */

/* Parses the range of a side. Returns false after reporting an error. */
static bool set_side(brz_pipeline *p, size_t side, const char *option, const char *text)
{
    brz_buf error = {0};
    brz_selection_set_time(&p->sides[side], brz_str_of_text(text), &error);
    return brz_pipeline_check_error(p, NULL, option, &error);
}

/* Makes one input both sides; it is read twice. */
static bool use_twice(brz_pipeline *p)
{
    const brz_input *input = &p->inputs[0];
    if (input->kind == BRZ_INPUT_FILE && strcmp(input->name, "-") == 0)
        return brz_pipeline_refuse(
            p, NULL,
            "standard input can be read only once: write it to a file to compare "
            "two ranges of its time");
    p->inputs[1] = *input;
    p->inputs[1].inside = (brz_inside){0};
    p->n_inputs = 2;
    return true;
}

/* Sets the ranges of time to compare; one input then becomes both sides. Returns false after
 * reporting an error. */
static bool set_sides(brz_pipeline *p)
{
    const brz_request *r = p->request;
    if (r->before_range == NULL && r->after_range == NULL)
        return !r->compare || p->n_inputs != 1 || r->is_survey ||
               brz_pipeline_refuse(
                   p, NULL,
                   "diff compares two files, BEFORE and AFTER, or two ranges of time of one "
                   "file: --before FROM..TO --after FROM..TO");
    if (!r->compare)
        return brz_pipeline_refuse(
            p, NULL, "'before' and 'after' are ranges of time to compare: see 'brazier diff'");
    if (r->before_range == NULL || r->after_range == NULL)
        return brz_pipeline_refuse(
            p, NULL, "a comparison needs both --before FROM..TO and --after FROM..TO");
    if (r->time_range != NULL)
        return brz_pipeline_refuse(p, NULL, "--time-range does not go with --before and --after");
    return set_side(p, 0, "--before", r->before_range) &&
           set_side(p, 1, "--after", r->after_range) && (p->n_inputs == 2 || use_twice(p));
}

/* ---- thresholds ---------------------------------------------------------------------------- */

/* Refuses options about thresholds in a run without thresholds. A survey ignores them. */
static bool check_no_thresholds(const brz_pipeline *p)
{
    const brz_request *r = p->request;
    const char *option = r->fail_unmatched                        ? "fail-unmatched"
                         : r->fail_report != BRZ_FAIL_REPORT_TEXT ? "fail-report"
                                                                  : NULL;
    return option == NULL || r->is_survey ||
           brz_pipeline_refuse(
               p, NULL, "--%s: there is no threshold; add one with --fail-if 'total(REGEX) > +5%%'",
               option);
}

/* Parses the thresholds of a comparison. Returns false after reporting an error. */
static bool set_thresholds(brz_pipeline *p)
{
    const brz_request *r = p->request;
    brz_buf error = {0};
    if (r->fail_if == NULL)
        return check_no_thresholds(p);
    if (r->is_survey)
        return true;
    bool good = brz_thresholds_parse(&p->thresholds, brz_str_of_text(r->fail_if), &error);
    const brz_yaml *key = brz_pipeline_key(p, "fail-if");
    if (good && !r->compare)
        brz_buf_add_text(&error, key == NULL
                                     ? "thresholds belong to comparisons: see 'brazier diff'"
                                     : "thresholds belong to comparisons: brazier diff "
                                       "PIPELINE BEFORE AFTER");
    else if (good && r->split_by != NULL)
        brz_buf_add_text(&error, "a threshold is about the whole profile: leave out --split-by");
    return brz_pipeline_check_error(p, key, key == NULL ? "--fail-if" : "fail-if", &error);
}

bool brz_pipeline_set_samples(brz_pipeline *p)
{
    const brz_request *r = p->request;
    bool good = set_selection(p, "group-by", r->group_by, brz_selection_set_by);
    good &= set_selection(p, "only", r->only, brz_selection_set_only);
    good &= set_selection(p, "time-range", r->time_range, brz_selection_set_time);
    good &= set_sides(p);
    good &= set_thresholds(p);
    return good;
}

bool brz_pipeline_check_time(const brz_pipeline *p)
{
    const brz_request *r = p->request;
    if (r->drawing.time == BRZ_TIME_MERGED)
        return true;
    if (r->compare)
        return brz_pipeline_refuse(p, NULL,
                                   "two profiles have no common order in time: draw a flame chart "
                                   "of each, or compare them without one");
    return r->normalize == BRZ_NORMALIZE_NO ||
           brz_pipeline_refuse(p, NULL,
                               "a flame chart shows counts as they are: it is not normalized");
}
