/* Runs pipelines of sorted folded text without a profile of its stacks. */
#include "run/execution.h"
#include "run/pipeline_merge.h"
#include "run/pipeline_tree.h"

/* The output of a merge. */
typedef struct sums_output {
    const brz_execution *execution;
    brz_file_sink *file; /* NULL: not open */
} sums_output;

/* Implements brz_merge_open_sink. */
static brz_sink *open_sums(void *context)
{
    sums_output *o = context;
    o->file = brz_execution_open_sink(o->execution, &o->execution->plan->outputs[0]);
    return o->file != NULL ? brz_file_sink_sink(o->file) : NULL;
}

/* Adds up the lines of inputs, see pipeline_merge.h. Returns false if the run needs a profile. */
static bool merge_lines(const brz_execution *x, bool *is_written)
{
    sums_output output = {.execution = x};
    brz_merge *merge = brz_merge_open(x);
    if (merge == NULL)
        return false;
    brz_merge_end end = brz_merge_write(merge, open_sums, &output);
    *is_written = end == BRZ_MERGE_WRITTEN && brz_file_sink_complete(output.file) &&
                  !brz_execution_is_stopped(x) && brz_file_sink_commit(output.file);
    brz_file_sink_destroy(output.file);
    brz_merge_close(merge);
    return end != BRZ_MERGE_NEEDS_PROFILE;
}

/* Draws the call tree of an input, see pipeline_tree.h. Returns false if the run needs a profile.
 */
static bool draw_lines(brz_execution *x, bool *is_written)
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
    return merge_lines(x, is_written) || draw_lines(x, is_written);
}
