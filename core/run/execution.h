/* SPDX-License-Identifier: MIT */
/* A run of a pipeline: its state, and its stages.
 *
 * The pipeline is a plan that a run does not change. The profile is no part of the state: each
 * stage gets it from the previous one, so that it has one owner at any time. A stage returns false
 * after reporting an error, or if the run is stopped. */
#ifndef BRZ_EXECUTION_H
#define BRZ_EXECUTION_H

#include "run/plan.h"

typedef struct brz_execution {
    const brz_pipeline *plan;
    brz_run *run;
    bool *used;              /* like that of the plan; also by components that are found later */
    brz_collected collected; /* reports and formats of the inputs, without their profile */
    size_t n_lost;           /* inputs that are left out */
    const char *first_added; /* first input with values that was added; NULL: none */
    char *shared_weight;     /* weight shown of it; NULL: none, or the request names one */
    brz_run_lacks lacks;     /* texts about the inputs, for outputs */
    brz_chain *comparing;    /* by output: default palettes of comparisons; NULL: not needed yet */
    bool is_misused;         /* the run failed because it found the request invalid */
    bool is_exceeded;        /* a threshold is exceeded */
} brz_execution;

static inline brz_console *brz_execution_console(const brz_execution *x)
{
    return &x->plan->session->console;
}

static inline bool brz_execution_is_stopped(const brz_execution *x)
{
    return atomic_load(&x->run->stop);
}

/* Returns a resolver that notes in the execution which settings components use. */
static inline brz_resolver brz_execution_resolver(const brz_execution *x)
{
    return (brz_resolver){
        .session = x->plan->session, .request = x->plan->request, .used = x->used};
}

/* ---- without a profile --------------------------------------------------------------------- */

/* Runs a pipeline whose only output writes nothing but the sums of sorted stacks. Returns false,
 * with nothing written and no message, if the run needs a profile. Otherwise stores whether the
 * output, which is that of a run with a profile, was written. */
bool brz_execution_merge(const brz_execution *x, bool *is_written);

/* Does the same for a pipeline whose only input is in order, and whose outputs need nothing but the
 * call tree. */
bool brz_execution_draw(brz_execution *x, bool *is_written);

/* ---- reading ------------------------------------------------------------------------------- */

/* Collapses the input of this index. Stores its profile, or NULL, which the caller destroys. */
brz_input_end brz_execution_read_input(brz_execution *x, size_t input, brz_profile **profile);

/* Reads all inputs, adds up or compares their profiles, and reports what was found in them. Stores
 * the result, or NULL, which the caller destroys in any case. */
bool brz_execution_read_inputs(brz_execution *x, brz_profile **profile);

/* Checks that the profile of the input `path`, or NULL, can be added to the sum of previous ones,
 * or NULL: it has the weight that is shown, and columns of the same name have the same unit, to
 * which they are converted. Warns about an input without values. */
bool brz_execution_match_weights(brz_execution *x, brz_profile *sum, brz_profile *own,
                                 const char *path);

/* Finds the column of a profile that is compared, as one side of a comparison. Checks that it is
 * the same weight as the other side's, in the same unit, to which it is converted, unless both are
 * scaled. */
bool brz_execution_match_side(brz_execution *x, brz_profile *both, brz_profile *own, size_t side,
                              uint32_t *weight);

/* ---- transforming -------------------------------------------------------------------------- */

/* Selects samples, applies the transforms and groups the stacks. Fails if no samples are left. */
bool brz_execution_transform(brz_execution *x, brz_profile *profile);

/* Lets transforms check their options before anything is read, if they can do so only in a child.
 * Returns false after reporting a failure. */
bool brz_execution_check_transforms(brz_execution *x);

/* Returns the column of a profile that is shown: the requested one, or else the default one.
 * Returns BRZ_NO_COLUMN if the profile, which may be NULL, has none. */
uint32_t brz_execution_shown_weight(const brz_execution *x, const brz_profile *profile);

/* Finds that column. Reports an error if the profile has no weight of the requested name. */
bool brz_execution_find_weight(const brz_execution *x, const brz_profile *profile,
                               uint32_t *weight);

/* Chooses the columns that the outputs show: those of a comparison, which it scales as requested,
 * or else one. */
bool brz_execution_choose_columns(const brz_execution *x, brz_profile *profile,
                                  brz_subject *subject);

/* ---- writing ------------------------------------------------------------------------------- */

/* Opens the destination of an output. Returns NULL after reporting an error. */
brz_file_sink *brz_execution_open_sink(const brz_execution *x, const brz_output_use *o);

/* Writes the outputs of a profile, or of its call tree if `tree` is not NULL. */
bool brz_execution_write(brz_execution *x, brz_profile *profile, const brz_tree *tree);

/* Writes the outputs of a part of the profile, to the destinations in `outputs`. Stores whether the
 * part has anything to show. */
bool brz_execution_write_part(brz_execution *x, brz_profile *part, const brz_output_use *outputs,
                              bool *is_written);

/* Writes the outputs of each value of the tag by which the run divides its samples. */
bool brz_execution_write_split(brz_execution *x, brz_profile *profile);

/* Reports that there are no samples. Writes empty outputs, or fails if they may not be empty. */
bool brz_execution_write_empty(const brz_execution *x);

#endif
