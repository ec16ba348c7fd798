/* What pprof calls a weight. Its values are whole numbers of a unit that it knows. */
#ifndef PPROF_SAMPLE_TYPE_H
#define PPROF_SAMPLE_TYPE_H

#include <brazier/plugin.h>

typedef struct sample_type {
    brz_str name, unit;
    int64_t factor; /* what the weight's values are multiplied by */
} sample_type;

/* A time with decimals becomes one of a finer unit. Any other weight with decimals is counted in
 * its last digit, and its name says so. */
sample_type sample_type_of(brz_ctx *ctx, const brz_weight_info *weight);

/* value * factor, at the end of the range if it would leave it. */
int64_t sample_type_value(const sample_type *t, int64_t value);

#endif
