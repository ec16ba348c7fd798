/* Runs pipelines of inputs that are in order without a profile of their stacks. */
#include "run/execution.h"
#include "run/pipeline_merge.h"
#include "run/pipeline_tree.h"

/* Draws the call tree of an input, see pipeline_tree.h. Returns false if the run needs a profile.
 */
static bool draw(brz_execution *x, bool *is_written)
{
    brz_call_tree tree = {0};
    brz_profile *profile = NULL;
    brz_tree_end end = brz_pipeline_read_tree(x, &tree, &profile);
    *is_written = end == BRZ_TREE_READ && !brz_execution_is_stopped(x) &&
                  brz_execution_write(x, profile, &tree.tree);
    brz_call_tree_finish(&tree);
    brz_profile_destroy(profile);
    return end != BRZ_TREE_NEEDS_PROFILE;
}

bool brz_execution_run_sorted(brz_execution *x, bool *is_written)
{
    return brz_pipeline_merge(x, is_written) || draw(x, is_written);
}
