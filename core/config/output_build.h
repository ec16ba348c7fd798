/* SPDX-License-Identifier: MIT */
/* Builds the outputs of a run from the configuration and the request: components with their
 * palettes and destinations. */
#ifndef BRZ_OUTPUT_BUILD_H
#define BRZ_OUTPUT_BUILD_H

#include "config/resolve.h"
#include "draw/render.h"

typedef struct brz_output_builder {
    const brz_resolver *resolver;
    const brz_input *inputs; /* of the run, which a restricted file must not name as outputs */
    size_t n_inputs;
    brz_arena *texts;        /* owns the places of outputs in the configuration */
    brz_output_use *outputs; /* the result; release it with brz_outputs_finish() */
    size_t n_outputs;
} brz_output_builder;

/* Adds the outputs of the request, or else those of the configuration in `list`. Adds standard
 * output if neither has outputs, or if the request sets only a format. `palette` is the default of
 * the configuration; both nodes may be NULL. Returns false after reporting an error. */
bool brz_outputs_build(brz_output_builder *b, const brz_yaml *list, const brz_yaml *palette);

/* Frees outputs with their array. */
void brz_outputs_finish(brz_output_use *outputs, size_t n);

#endif
