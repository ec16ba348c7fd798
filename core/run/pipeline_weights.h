/* The weights of a run: the one that is shown, and whether those of several inputs can be added or
 * compared. */
#ifndef BRZ_PIPELINE_WEIGHTS_H
#define BRZ_PIPELINE_WEIGHTS_H

#include "run/pipeline_parts.h"

/* Finds the requested column of a profile, or else the default one. Returns false after reporting
 * an error. */
bool brz_pipeline_find_weight(const brz_pipeline *p, const brz_profile *profile, uint32_t *weight);

/* Checks that the collected profile can be added to `together`, the sum of previous inputs, or
 * NULL: it has the weight that is shown, and columns of the same name have the same unit, to which
 * they are converted. Warns about an input without values. Returns false after reporting an error.
 */
bool brz_pipeline_match_weights(brz_pipeline *p, brz_profile *together, const char *path);

/* Finds the column of the collected profile that is compared, as one side of a comparison. Checks
 * that it is the same weight as the other side's, in the same unit, to which it is converted,
 * unless both are scaled. Returns false after reporting an error. */
bool brz_pipeline_match_side(brz_pipeline *p, brz_profile *together, size_t side, uint32_t *weight);

#endif
