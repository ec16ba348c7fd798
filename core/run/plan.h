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
    bool *used;                 /* by setting of the request: a component has the option */
    brz_input *inputs;
    size_t n_inputs;
    bool guess;                       /* the collapser is guessed from the input */
    brz_use collapse;                 /* the collapser, if it is not guessed */
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

/* Returns a resolver that records in `used` the settings that components use. */
brz_resolver brz_pipeline_resolver(const brz_pipeline *p);

/* Returns what collapsers are to give: BRZ_CTX_*, as the outputs and the request need it. */
uint32_t brz_pipeline_wants(const brz_pipeline *p);

/* Checks that each option of the command line belongs to a component of the run, one of which is
 * the collapser, and that it is `used`. Returns false after reporting an error if not. */
bool brz_pipeline_check_settings(const brz_pipeline *p, const brz_loaded *collapser,
                                 const bool *used);

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

/* Checks that the outputs' files are named after the part by which the run divides its samples, if
 * any. `at` is the place in the configuration that names the part; NULL: the request does. Returns
 * false after reporting an error. */
bool brz_pipeline_check_split(const brz_pipeline *p, const brz_yaml *at);

/* Returns whether each input is read in a separate process. */
static inline bool brz_pipeline_isolates(const brz_pipeline *p)
{
    return p->request->isolate > 0;
}

/* Returns the name of the inputs in messages about all of them. */
const char *brz_pipeline_input_name(const brz_pipeline *p);

#endif
