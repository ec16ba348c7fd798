/* Draws an input that is in order without a profile of its stacks. */
#ifndef BRZ_PIPELINE_TREE_H
#define BRZ_PIPELINE_TREE_H

#include "run/execution.h"

/* Runs a pipeline whose only input is in order, and whose outputs need nothing but the call tree.
 * Returns false, with nothing written and no message, if the run needs a profile. Otherwise stores
 * whether the outputs, which are those of a run with a profile, were written. */
bool brz_pipeline_draw(brz_execution *x, bool *is_written);

#endif
