/* SPDX-License-Identifier: MIT */
/* A weight as a pprof sample type. Its values are integers in a unit that pprof knows. */
#ifndef PPROF_SAMPLE_TYPE_H
#define PPROF_SAMPLE_TYPE_H

#include <brazier/plugin.h>

typedef struct sample_type {
    brz_str name, unit;
    int64_t factor; /* factor for the weight's values */
} sample_type;

/* Returns the sample type for a weight. A time with decimals is converted to a finer unit. Any
 * other weight with decimals is counted in units of its last digit, and its name says so. */
sample_type sample_type_of(brz_output_ctx *ctx, const brz_column_info *weight);

/* Returns value * factor, saturated at the limits of int64_t. */
int64_t sample_type_value(const sample_type *t, int64_t value);

#endif
