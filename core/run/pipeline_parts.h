/* The parts of a pipeline, for the code that builds, runs and describes it. */
#ifndef BRZ_PIPELINE_PARTS_H
#define BRZ_PIPELINE_PARTS_H

#include "collapse/collapse.h"
#include "draw/render.h"
#include "isolate/input_reader.h"
#include "profile/selection.h"
#include "profile/transform.h"
#include "run/pipeline.h"
#include "run/read_files.h"
#include "config/resolve.h"
#include "request/limits.h"
#include "report/threshold.h"

/* The default first palette when profiles are compared. */
#define BRZ_COMPARING_PALETTE "diff"

struct brz_pipeline {
    brz_session *session;
    const brz_yaml *node;       /* the pipeline in the configuration, or NULL */
    const brz_yaml **key_nodes; /* by option of a run: the key that sets it, or NULL */
    brz_request effective;      /* the caller's, and what that leaves to the configuration */
    const brz_request *request; /* `effective` */
    brz_run *run;               /* during a run */
    bool *used;                 /* by setting of the request: a component has the option */
    brz_input *inputs;
    size_t n_inputs;
    bool misused;                     /* options without a component were found during the run */
    bool guess;                       /* the collapser is guessed from the input */
    brz_use collapse;                 /* the collapser, if it is not guessed */
    const brz_yaml *collapse_options; /* options for a guessed collapser */
    brz_transforms transforms;
    brz_selection selection;
    brz_selection sides[2];    /* ranges of time of the inputs that are compared */
    brz_thresholds thresholds; /* of the comparison */
    bool is_exceeded;          /* one of them is */
    brz_output_use *outputs;
    size_t n_outputs;
    char *palette_map;             /* path, or NULL */
    brz_inside palette_map_inside; /* its location, if restricted */
    const char *first_taken;       /* first input with values that was added; NULL: none */
    const char *shared_weight; /* name of the weight shown of it; NULL: none, or the request's */
    size_t lost;               /* number of inputs lost because their process failed */
    bool wrote_part;           /* an output of a part of the profile was written */
    brz_arena texts;           /* names of inputs, texts of the configuration in another form */
    brz_collected collected;
    brz_call_tree *tree; /* the call tree, if it was read without a profile of stacks */
};

/* Returns a resolver that records in `used` the settings that components use. */
brz_resolver brz_pipeline_resolver(const brz_pipeline *p);

/* Returns what collapsers are to give: BRZ_CTX_*, as the outputs and the request need it. */
uint32_t brz_pipeline_wants(const brz_pipeline *p);

/* Checks that each option of the command line belongs to a component of the run. Returns false
 * after reporting an error if not. Options of a guessed collapser are checked during the run. */
bool brz_pipeline_check_settings(const brz_pipeline *p);

/* Sets the options of the run from the keys of the pipeline at `node`, which may be NULL, where the
 * request does not set them. Returns false after reporting an error if a value is invalid. */
bool brz_pipeline_set_keys(brz_pipeline *p, const brz_yaml *node);

/* Checks that the outputs and the palette map go to different places, and that none of them
 * replaces an input or another file that the run reads. Returns false after reporting an error. */
bool brz_pipeline_check_places(const brz_pipeline *p);

/* Does the same for the files that the options of a guessed collapser name. */
bool brz_pipeline_check_guessed_places(const brz_pipeline *p, const brz_use *use);

/* Adds the files that the run reads besides its inputs, as far as they are known before the format
 * is guessed. */
void brz_pipeline_add_read_files(const brz_pipeline *p, brz_read_files *files);

/* Sets the ranges of time to compare; one input then becomes both sides. Returns false after
 * reporting an error. */
bool brz_pipeline_set_sides(brz_pipeline *p);

/* Selects the samples of a side's range, if it has one, from the collected profile. Returns false
 * after reporting an error, such as an empty range. */
bool brz_pipeline_select_side(brz_pipeline *p, size_t side);

/* Checks that the outputs' files are named after the part by which the run divides its samples, if
 * any. `at` is the place in the configuration that names the part; NULL: the request does. Returns
 * false after reporting an error. */
bool brz_pipeline_check_split(const brz_pipeline *p, const brz_yaml *at);

/* Writes the outputs for each value of that part: calls `write` with the profile of its samples and
 * the names of its files. Returns false after an error, which is reported. */
bool brz_pipeline_write_split(brz_pipeline *p, bool (*write)(brz_pipeline *));

/* Returns whether each input is read in a separate process. */
static inline bool brz_pipeline_isolates(const brz_pipeline *p)
{
    return p->request->isolate > 0;
}

/* Returns the number of threads that a request allows. */
unsigned brz_pipeline_threads(const brz_request *r);

/* Reads an input and adds its samples to those collected. */
brz_input_end brz_pipeline_read_input(brz_pipeline *p, const brz_input *input,
                                      brz_progress *progress);

#endif
