/* SPDX-License-Identifier: MIT */
/* Builds the call tree of an input that has its stacks in order, without storing the stacks. */
#ifndef BRZ_SORTED_TREE_H
#define BRZ_SORTED_TREE_H

#include <stdatomic.h>

#include "profile/call_tree.h"
#include "sorted/source.h"

/* Initialises a call tree without stacks from a source, with frames of its own; texts of samples'
 * frames belong to their profile. The empty profile receives only the weight. The tree is that of a
 * profile with all stacks of the source in the order BRZ_ORDER_LINES. Returns false if it is not
 * complete: `state` of the source is not BRZ_SORTED_OVER, or *stop was set; the tree is to be
 * finished all the same. A source whose stacks are not in that order, whose names are not printable
 * ASCII, or that has too many nodes, becomes BRZ_SORTED_NOT_PLAIN. */
bool brz_sorted_tree_init(brz_call_tree *v, brz_profile *p, brz_sorted_source *source,
                          const atomic_bool *stop);

#endif
