/* Draws an input that is in order without a profile of its stacks. */
#ifndef BRZ_PIPELINE_TREE_H
#define BRZ_PIPELINE_TREE_H

#include "run/execution.h"

typedef enum brz_tree_end {
    BRZ_TREE_NEEDS_PROFILE, /* nothing was done */
    BRZ_TREE_READ,          /* there is a tree, and a profile with the frames */
    BRZ_TREE_FAILED,        /* with a message, unless the run is to end */
} brz_tree_end;

/* Reads the call tree of a run whose only input is in order, and whose outputs need nothing else.
 * The tree is that of a run with a profile. The caller finishes the tree, which is zeroed before,
 * and destroys the profile, in any case. */
brz_tree_end brz_pipeline_read_tree(const brz_execution *x, brz_call_tree *tree,
                                    brz_profile **profile);

#endif
