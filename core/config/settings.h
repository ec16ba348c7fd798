/* SPDX-License-Identifier: MIT */
/* Checks the options of components that the command line sets. */
#ifndef BRZ_SETTINGS_H
#define BRZ_SETTINGS_H

#include "config/resolve.h"
#include "draw/render.h"
#include "profile/transform.h"

/* The components of a run whose options the command line may set. */
typedef struct brz_used_components {
    const brz_loaded *collapser;
    const brz_transforms *transforms;
    const brz_output_use *outputs; /* with their palettes */
    size_t n_outputs;
} brz_used_components;

/* Checks that each setting has been used by a component of the run. Reports the others, since their
 * component or option is wrong, and returns false. */
bool brz_settings_check(const brz_resolver *r, const brz_used_components *used);

/* Checks the settings that are for the format that is guessed, which is `format` for the input
 * `name`. Returns false after reporting one that the format does not have. */
bool brz_settings_check_guessed(const brz_resolver *r, const char *name, const char *format);

#endif
