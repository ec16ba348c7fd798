/* Adds up inputs that are in order, or compares two of them, without a profile. */
#ifndef BRZ_PIPELINE_MERGE_H
#define BRZ_PIPELINE_MERGE_H

#include "run/execution.h"

/* Runs a pipeline whose only output writes nothing but the sums of sorted stacks. Returns false,
 * with nothing written and no message, if the run needs a profile. Otherwise stores whether the
 * output, which is that of a run with a profile, was written. */
bool brz_pipeline_merge(const brz_execution *x, bool *is_written);

#endif
