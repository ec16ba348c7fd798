/* Takes the call tree of a run directly from sorted folded text. */
#ifndef BRZ_PIPELINE_TREE_H
#define BRZ_PIPELINE_TREE_H

#include "run/execution.h"

typedef enum brz_tree_end {
    BRZ_TREE_NEEDS_PROFILE, /* nothing was done */
    BRZ_TREE_READ,          /* there is a tree, and a profile with the frames */
    BRZ_TREE_FAILED,        /* with a message, unless the run is to end */
} brz_tree_end;

/* Reads the call tree of a run whose input is plain folded text in order, and whose outputs need
 * nothing else. The result is that of a run that makes a profile. The caller finishes the tree,
 * which is zeroed before, and destroys the profile, in any case. */
brz_tree_end brz_pipeline_read_tree(const brz_execution *x, brz_call_tree *tree,
                                    brz_profile **profile);

#endif
