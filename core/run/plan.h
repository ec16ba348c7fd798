/* SPDX-License-Identifier: MIT */
/* The plan of a run: a pipeline, for the code that builds, runs and describes it. It is complete
 * before a run begins, and a run does not change it. */
#ifndef BRZ_PLAN_H
#define BRZ_PLAN_H

#include "collapse/collapse.h"
#include "draw/render.h"
#include "isolate/input_reader.h"
#include "profile/selection.h"
#include "profile/transform.h"
#include "run/pipeline.h"
#include "config/read_files.h"
#include "config/resolve.h"
#include "config/settings.h"
#include "request/limits.h"
#include "report/threshold.h"

struct brz_pipeline {
    brz_session *session;
    const brz_yaml *node;       /* the pipeline in the configuration, or NULL */
    const brz_yaml **key_nodes; /* by option of a run: the key that sets it, or NULL */
    brz_request effective;      /* the caller's, and what that leaves to the configuration */
    const brz_request *request; /* `effective` */
    bool *used;                 /* by setting of the request: a component has the option */
    brz_input *inputs;
    size_t n_inputs;
    brz_str source;   /* names of the files that pictures show, without folders; empty: unknown */
    bool guess;       /* the collapser is guessed from the input */
    brz_use collapse; /* the collapser, if it is not guessed */
    const brz_yaml *collapse_options; /* options for a guessed collapser */
    brz_transforms transforms;
    brz_selection selection;
    brz_selection sides[2];    /* ranges of time of the inputs that are compared */
    brz_thresholds thresholds; /* of the comparison */
    brz_output_use *outputs;
    size_t n_outputs;
    char *palette_map;             /* path, or NULL */
    brz_inside palette_map_inside; /* its location, if restricted */
    brz_arena texts;               /* names of inputs, texts of the configuration in another form */
};

/* ---- building, in this order ----------------------------------------------------------------
 *
 * Each function returns false after reporting an error. */

/* Sets the inputs: those of the request, or else those of the configuration, or else standard
 * input. */
bool brz_pipeline_set_inputs(brz_pipeline *p);

/* Sets the selections of samples, the ranges of time to compare, of which one input then becomes
 * both sides, and the thresholds. */
bool brz_pipeline_set_samples(brz_pipeline *p);

/* Sets the palette map, the collapser, the transforms and the outputs. */
bool brz_pipeline_set_components(brz_pipeline *p);

/* Refuses flame charts of data without an order in time. */
bool brz_pipeline_check_time(const brz_pipeline *p);

/* Checks that the outputs and the palette map go to different places, and that none of them
 * replaces an input or another file that the run reads. */
bool brz_pipeline_check_places(const brz_pipeline *p);

/* Checks the labels of inputs, and that they have an effect. */
bool brz_pipeline_check_labels(const brz_pipeline *p);

/* Checks that the outputs' files are named after the part by which the run divides its samples, if
 * any. */
bool brz_pipeline_check_split(const brz_pipeline *p);

/* Refuses a picture that would go to a terminal. Warns if an output in the default format goes to a
 * file whose ending names another format. */
bool brz_pipeline_check_destinations(const brz_pipeline *p);

/* Checks that each option of the command line belongs to a component of the run. Options of a
 * guessed collapser are checked during the run. */
bool brz_pipeline_check_settings(const brz_pipeline *p);

/* ---- during a run -------------------------------------------------------------------------- */

/* Returns the components whose options the command line may set. */
brz_used_components brz_pipeline_used(const brz_pipeline *p, const brz_loaded *collapser);

/* Checks the places for the files that the options of a guessed collapser name. */
bool brz_pipeline_check_guessed_places(const brz_pipeline *p, const brz_use *use);

/* Adds the files that the run reads besides its inputs, as far as they are known before the format
 * is guessed. */
void brz_pipeline_add_read_files(const brz_pipeline *p, brz_read_files *files);

/* Returns what collapsers are to give: BRZ_CTX_*, as the outputs and the request need it. */
uint32_t brz_pipeline_wants(const brz_pipeline *p);

/* Returns the attributes of frames that neither the user nor an output needs: BRZ_DROPS_*. */
uint32_t brz_pipeline_drops(const brz_pipeline *p);

/* Returns whether an output needs the code of functions: see <brazier/draft/code.h>. */
bool brz_pipeline_wants_code(const brz_pipeline *p);

/* Returns the flags that any of the outputs has: BRZ_OUTPUT_*. */
uint32_t brz_pipeline_output_flags(const brz_pipeline *p);

/* Returns the name of the inputs in messages about all of them. */
const char *brz_pipeline_input_name(const brz_pipeline *p);

/* Returns whether each input is read in a separate process. */
static inline bool brz_pipeline_isolates(const brz_pipeline *p)
{
    return p->request->isolate > 0;
}

/* ---- in general ---------------------------------------------------------------------------- */

/* Returns a resolver that records in `used` the settings that components use. */
brz_resolver brz_pipeline_resolver(const brz_pipeline *p);

/* Returns the key that sets an option of the run, or NULL. */
const brz_yaml *brz_pipeline_key(const brz_pipeline *p, const char *option);

/* Reports an error of a run, with its code. Returns false. */
bool brz_pipeline_fail(const brz_pipeline *p, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reports that the request is invalid or, with a node, that the configuration is. Returns false. */
bool brz_pipeline_refuse(const brz_pipeline *p, const brz_yaml *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Does the same with the text of `error`, unless that is empty, after the name of an option, or
 * NULL. Frees the text. Returns whether it was empty. */
bool brz_pipeline_check_error(const brz_pipeline *p, const brz_yaml *at, const char *option,
                              brz_buf *error);

#endif
