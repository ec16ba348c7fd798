/* Takes the call tree of a run directly from sorted folded text. */
#ifndef BRZ_PIPELINE_TREE_H
#define BRZ_PIPELINE_TREE_H

#include "run/pipeline_parts.h"

typedef enum brz_tree_end {
    BRZ_TREE_NEEDS_PROFILE, /* nothing was done */
    BRZ_TREE_READ,          /* the pipeline has its tree, and a profile with the frames */
    BRZ_TREE_FAILED,        /* with a message, unless the run is to end */
} brz_tree_end;

/* Reads the call tree of a run whose input is plain folded text in order, and whose outputs need
 * nothing else. The result is that of a run that makes a profile. */
brz_tree_end brz_pipeline_read_tree(brz_pipeline *p);

#endif
