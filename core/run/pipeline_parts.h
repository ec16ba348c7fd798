/* What a pipeline is made of, for those who build, run and describe it. */
#ifndef BRZ_PIPELINE_PARTS_H
#define BRZ_PIPELINE_PARTS_H

#include "collapse/collapse.h"
#include "draw/render.h"
#include "profile/transform.h"
#include "run/pipeline.h"
#include "run/resolve.h"
#include "run/watch.h"

/* The palette that is asked first if profiles are compared and nobody chose palettes. */
#define BRZ_COMPARING_PALETTE "diff"

struct brz_pipeline {
    brz_session *session;
    const brz_request *request;
    brz_run *run; /* while it runs */
    bool *used;   /* by setting of the request */
    brz_input *inputs;
    size_t n_inputs;
    bool misused;                     /* options turned out to be nobody's while it ran */
    bool guess;                       /* the collapser is found when the input is seen */
    brz_use collapse;                 /* otherwise */
    const brz_yaml *collapse_options; /* for the collapser that is guessed */
    brz_transforms transforms;
    brz_output_use *outputs;
    size_t n_outputs;
    char *weight;                  /* NULL: the first */
    char *palette_map;             /* a file; NULL: none */
    brz_inside palette_map_inside; /* its place, if it may not lie anywhere */
    bool diffusion;
    bool isolate;
    brz_limits limits;
    size_t lost; /* inputs that whoever read them did not survive */
    brz_collected collected;
};

/* One that notes in `used` which settings of the request a component took. */
brz_resolver brz_pipeline_resolver(const brz_pipeline *p);

/* False, said so, if an option of the command line is none of the run's components'. A collapser
 * that is guessed takes its options late. */
bool brz_pipeline_check_settings(const brz_pipeline *p);

/* Sets the limits of the pipeline at `node`, which may be NULL. False, said so, for a bad value. */
bool brz_pipeline_set_limits(brz_pipeline *p, const brz_yaml *node);

/* What came of reading an input. */
typedef enum brz_input_end {
    BRZ_INPUT_READ,
    BRZ_INPUT_FAILED, /* the run fails; said why */
    BRZ_INPUT_LOST,   /* in isolation: others can still be read; said why */
} brz_input_end;

/* Adds what an input holds to what was collected. */
brz_input_end brz_pipeline_read_input(brz_pipeline *p, const brz_input *input,
                                      brz_progress *progress);

#endif
